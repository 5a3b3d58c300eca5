import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { openSession, getSessionCookieName } from "../../../app/accounts/session.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import type * as App from "../../../server/app.ts";
import { testConfig } from "./config.ts";
import { testDatabase } from "./database.ts";
import { freePorts } from "./free-ports.ts";
import { ownFolder } from "./own-folder.ts";
import { whenFileEnds } from "./when-file-ends.ts";

export type RunningApp = {
  db: Database;
  product: App.Product;
  origin: string;
  /** Opens a session for a person and returns its cookie. */
  cookieOf(actor: Actor): Promise<string>;
};

/**
 * Starts the built product in this process on its own database.
 *
 * @param env settings in addition to those of all tests
 */
export async function runningApp(
  fill: (db: Database) => Promise<void> = async () => {},
  env: Record<string, string> = {},
): Promise<RunningApp> {
  const { db, url } = await testDatabase();
  await fill(db);
  const { product, config } = await productOn(url, env);
  whenFileEnds(() => product.close());
  return {
    db,
    product,
    origin: config.origin,
    async cookieOf(actor) {
      const { token } = await openSession(db, actor.id);
      return `${getSessionCookieName(config)}=${token}`;
    },
  };
}

/** Starts the built product on an existing database; the caller closes it. */
export async function productOn(url: string, env: Record<string, string> = {}) {
  const port = await freePorts(3);
  // Processes that share the stand-in's state would lock each other out.
  const files = { DATA_DIR: ownFolder() };
  const defaults = {
    ...files,
    PORT: String(port),
    PAGE_TIMEOUT: "60",
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
  };
  const config = testConfig({ ...defaults, ...env });
  const build = pathToFileURL(resolve("build/server/index.js")).href;
  const app = (await import(/* @vite-ignore */ build)) as typeof App;
  return { product: await app.startProduct(config, url), config };
}

import { Hono } from "hono";
import type { Actor } from "../../accounts/actor.server.ts";
import { serveFile } from "../../files/serve-file.server.ts";
import type { FileStore } from "../../files/store.server.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { addNext } from "../../platform/own-path.ts";
import { findOwnExport } from "./exports.server.ts";

type Env = { Variables: { actor: Actor | null } };

/**
 * Serves `/profile/data/export/<id>.zip` to the person whose data it is, in ranges if asked, so that an interrupted
 * download resumes. Their sign-in must be recent. For anyone else the next handler answers, as for a missing page.
 */
export function createExportRoutes({ config, db }: AppContext, store: FileStore): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get("/:file{[0-9a-f-]{36}\\.zip}", async (context, next) => {
    const actor = context.get("actor");
    const id = context.req.param("file").slice(0, -".zip".length);
    const file = actor && (await findOwnExport(db, actor, id, config.product.name));
    if (!file) return next();
    if (!actor.isProved) {
      context.header("Cache-Control", "no-store");
      return context.redirect(addNext("/sign-in-again", "/profile/data/export"), 303);
    }
    try {
      const response = await serveFile(context.req.raw, store, file);
      response.headers.set("Cache-Control", "private, no-store");
      return response;
    } catch (error) {
      if (error instanceof NotFound) return next();
      throw error;
    }
  });
  return routes;
}

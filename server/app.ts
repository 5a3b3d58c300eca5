import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import * as build from "virtual:react-router/server-build";
import { eq } from "drizzle-orm";
import { saveStaffRule } from "../app/accounts/actor.server.ts";
import { users } from "../app/accounts/tables.server.ts";
import type { AppContext } from "../app/platform/app-context.server.ts";
import { second } from "../app/platform/clock.ts";
import type { Config } from "../app/platform/config.server.ts";
import {
  waitForDatabase,
  applyMigrations,
  openDatabase,
  taskLimits,
} from "../app/platform/database.server.ts";
import type { Log } from "../app/platform/log.server.ts";
import { loadDemo } from "../db/demo/load.server.ts";
import { queueNextDemoPages } from "../db/demo/pages.server.ts";
import { demoPeople } from "../db/demo/people.ts";
import { createHttpApp } from "./http.ts";
import { serveMetrics } from "./metrics.ts";
import { createHealthRoutes } from "./http/health.ts";
import { createHttpServer } from "./http/http-server.ts";
import { getBareHeaders } from "./http/security.ts";
import { openStore } from "./process/open-files.ts";
import { listPublicScreens } from "./cache/public-screens.ts";
import { openServices, type Services } from "./services/services.ts";

export { runOperator } from "./operator/run.ts";

/** A running product, and the way to end it. */
export type Product = {
  services: Services;
  server: Server;
  /** Notes for the person who started it: where the demo people, the mailbox and the stand-in are. */
  notes: string[];
  /** The handlers beside the screens, by method and path. */
  handlers: { method: string; path: string }[];
  close(): Promise<void>;
};

/**
 * Migrates the database, loads demo data where that is due, and answers requests.
 *
 * @param listen false leaves the listening to the caller (the development server).
 */
export async function startProduct(
  config: Config,
  databaseUrl: string,
  { listen = true }: { listen?: boolean } = {},
): Promise<Product> {
  await setUpDatabase(config.databaseDirectUrl ?? databaseUrl);
  const services = await openServices(config, databaseUrl, listPublicScreens(build));
  const endTraces = await startTraces(services.app);
  const app =
    config.role === "worker"
      ? createHealthRoutes(config, services.readiness)
      : createHttpApp(services, build);
  const headers = getBareHeaders(services.app.config);
  const errorHandler = (error: unknown) => rejectConnection(error, headers, services.app.log);
  const server = createHttpServer(getRequestListener(app.fetch, { errorHandler }), headers);
  let endMetrics = async () => {};
  try {
    await settleDemoData(services);
    await saveStaffRule(services.patientDb, config);
    endMetrics = await serveMetrics(services);
    if (listen) await listenOn(server, config);
  } catch (error) {
    // Otherwise its tasks and its stand-in would keep the process from ending.
    await endMetrics();
    await services.close();
    await endTraces();
    throw error;
  }
  return {
    services,
    server,
    notes: startNotes(services.app.config),
    handlers: app.routes.map(({ method, path }) => ({ method, path })),
    async close() {
      services.readiness.isDraining = true;
      if (server.listening) await sleep(config.drainSeconds * second);
      await drainServer(server);
      await endMetrics();
      await services.close();
      await endTraces();
    },
  };
}

/** Tracing is loaded only when traces are sent somewhere. */
async function startTraces({ config: { traces }, log }: AppContext): Promise<() => Promise<void>> {
  if (!traces) return async () => {};
  const { sendTraces } = await import("../app/platform/open-telemetry.server.ts");
  return sendTraces(traces, log);
}

/** Answers a request with an invalid address or host, before the application sees it. */
function rejectConnection(error: unknown, headers: Record<string, string>, log: Log): Response {
  if (error instanceof RequestError) return new Response(null, { status: 400, headers });
  log.error({ err: error }, "unexpected");
  return new Response("Unexpected Application Error!", { status: 500, headers });
}

function listenOn(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

/** Takes no new requests and waits for those under way, for ten seconds at most. */
async function drainServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const impatient = setTimeout(() => server.closeAllConnections(), 10_000);
  await closed;
  clearTimeout(impatient);
}

/** Loads the demo data into an empty database and says whether it was empty. */
export async function loadDemoData(config: Config, databaseUrl: string): Promise<void> {
  if (config.mode !== "demo")
    throw new Error(`Demo data is only for a demonstration; ORIGIN is ${config.origin}.`);
  await setUpDatabase(databaseUrl);
  const store = await openStore(config);
  const { db, close } = openDatabase(databaseUrl, { max: 2, limits: taskLimits });
  const loaded = await loadDemo(db, store, config).finally(close);
  console.log(
    loaded ? "Demo data is loaded." : "The database has people in it already; nothing was loaded.",
  );
}

async function setUpDatabase(url: string): Promise<void> {
  await waitForDatabase(url, console.log);
  await applyMigrations(url);
}

/** Real people never meet the made-up ones. */
async function settleDemoData({ app: { config }, patientDb, store }: Services): Promise<void> {
  if (config.mode === "demo") {
    // Of processes that start together, one loads the data and the others wait.
    await loadDemo(patientDb, store, config);
    if (config.rendersDemoPages) await queueNextDemoPages(patientDb);
    return;
  }
  const [found] = await patientDb
    .select({ email: users.email })
    .from(users)
    .where(eq(users.email, demoPeople[0]!.email));
  if (found)
    throw new Error(
      `The database holds the demo people, but ORIGIN is ${config.origin}. Use a database of its own.`,
    );
}

/** Returns the notes for the person who started it. */
function startNotes({ mode, origin, payu, testimonials }: Config): string[] {
  if (mode === "real")
    return testimonials.length > 0 ? [] : ["TESTIMONIALS is not set: pages show samples."];
  const notes = [`Demo people: ${origin}/demo`, `Captured mail: ${origin}/demo/mailbox`];
  return payu.standInPorts ? [...notes, `PayU stand-in: ${payu.formHosts[0]}`] : notes;
}

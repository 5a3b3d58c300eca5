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
import { openDatabase, taskLimits } from "../app/platform/database.server.ts";
import type { Log } from "../app/platform/log.server.ts";
import { loadDemo } from "../db/demo/load.server.ts";
import { demoPeople } from "../db/demo/people.ts";
import { createHttpApp } from "./http.ts";
import { serveMetrics } from "./metrics.ts";
import { createHealthRoutes } from "./http/health.ts";
import { createHttpServer } from "./http/http-server.ts";
import { getBareHeaders } from "./http/security.ts";
import { openStore } from "./process/open-files.ts";
import { setUpDatabase } from "./process/set-up-database.ts";
import { listPublicScreens } from "./cache/public-screens.ts";
import { openServices, type Services } from "./services/services.ts";

export { runOperator } from "./operator/run.ts";

/** A running product. */
export type Product = Awaited<ReturnType<typeof startProduct>>;

/**
 * Migrates the database, loads demo data in a demo, and serves requests.
 *
 * @param listen false if the caller listens itself, like the development server
 */
export async function startProduct(
  config: Config,
  databaseUrl: string,
  { listen = true }: { listen?: boolean } = {},
) {
  await setUpDatabase(config.databaseDirectUrl ?? databaseUrl, console.log);
  const screens = listPublicScreens(build, config.reviewPrices);
  const services = await openServices(config, databaseUrl, screens);
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
    await ensureDemoData(services);
    await saveStaffRule(services.patientDb, config);
    endMetrics = await serveMetrics(services);
    if (listen) await listenOn(server, config);
  } catch (error) {
    // Running tasks and stand-ins would keep the process alive.
    await endMetrics();
    await services.close();
    await endTraces();
    throw error;
  }
  return {
    services,
    server,
    /** Lines to print after the start. */
    notes: listStartNotes(services.app.config),
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

/** Loads the tracing library only if traces are sent somewhere. */
async function startTraces({ config: { traces }, log }: AppContext): Promise<() => Promise<void>> {
  if (!traces) return async () => {};
  const { sendTraces } = await import("./process/open-telemetry.ts");
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

/** Stops accepting requests and waits at most ten seconds for running ones. */
async function drainServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timeout = setTimeout(() => server.closeAllConnections(), 10_000);
  await closed;
  clearTimeout(timeout);
}

/** Loads the demo data into an empty database and prints whether it did. */
export async function loadDemoData(config: Config, databaseUrl: string): Promise<void> {
  if (config.mode !== "demo")
    throw new Error(`Demo data can only be loaded in a demo, but ORIGIN is ${config.origin}.`);
  await setUpDatabase(databaseUrl, console.log);
  const store = await openStore(config);
  const { db, close } = openDatabase(databaseUrl, { max: 2, limits: taskLimits });
  const loaded = await loadDemo(db, store, config).finally(close);
  console.log(
    loaded ? "Demo data loaded." : "The database already has people. Nothing was loaded.",
  );
}

/** Loads demo data in a demo. In production, refuses a database with demo people. */
async function ensureDemoData({ app: { config }, patientDb, store }: Services): Promise<void> {
  if (config.mode === "demo") {
    // If several processes start together, one loads the data and the others wait.
    await loadDemo(patientDb, store, config);
    return;
  }
  const [user] = await patientDb
    .select({ email: users.email })
    .from(users)
    .where(eq(users.email, demoPeople[0]!.email));
  if (user)
    throw new Error(
      `The database has demo people, but ORIGIN is ${config.origin}. Use a separate database for production.`,
    );
}

/** Returns the lines to print after the start. */
function listStartNotes({ mode, origin, payu, testimonials }: Config): string[] {
  if (mode === "real")
    return testimonials.length > 0 ? [] : ["TESTIMONIALS is not set. Pages show sample quotes."];
  const notes = [`Demo people: ${origin}/demo`, `Demo inbox: ${origin}/demo/mailbox`];
  return payu.standInPorts ? [...notes, `Test payment page: ${payu.formHosts[0]}`] : notes;
}

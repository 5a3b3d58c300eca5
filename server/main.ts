import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { readConfig, type Config } from "../app/platform/config.server.ts";
import {
  loadEnvFile,
  listMisspelledSettings,
} from "../app/platform/settings/read-settings.server.ts";
import { claimPlace } from "./process/claim-place.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { buildIfStale } from "./bundle/fresh-build.ts";
import type * as App from "./app.ts";

/**
 * The process's first lines: `node server/main.ts start | dev | admin … | demo-data`.
 * Runs on Node alone; everything with screens in it comes from the build.
 */
const root = resolve(import.meta.dirname, "..");
process.chdir(root);

const [command = "start", ...args] = process.argv.slice(2);
const commands: Record<string, () => Promise<void>> = {
  start,
  dev: startDevelopment,
  admin: runAdminCommand,
  "demo-data": loadDemoData,
};

try {
  const run = commands[command];
  if (!run)
    throw new Error(`Unknown command "${command}". Known: ${Object.keys(commands).join(", ")}.`);
  await run();
} catch (error) {
  console.error(
    error instanceof Error && process.env.LOG_LEVEL !== "debug" ? formatStartError(error) : error,
  );
  // Open resources would keep the process alive.
  process.exit(error instanceof Error && "exitCode" in error ? Number(error.exitCode) : 1);
}

/**
 * Formats an error of the start, with the cause of an unavailable service, since the operator has to fix it.
 */
function formatStartError(error: Error): string {
  return "why" in error ? `${error.message} (${String(error.why)})` : error.message;
}

/** Reads the settings, and says what in them has no effect. */
function readConfiguration(): Config {
  const lines = loadEnvFile(root);
  const config = readConfig(process.env, lines);
  for (const sentence of listMisspelledSettings(process.env)) console.error(sentence);
  return config;
}

/** Builds where sources changed, starts PostgreSQL beside it, then serves until a signal comes. */
async function start(): Promise<void> {
  const begun = performance.now();
  const config = readConfiguration();
  await claimPlace(config);
  const database = await openWhileBuilding(config);
  await serve(config, database, await loadBuiltApp(), begun);
}

/** Serves the sources through Vite, which reloads what changes. */
async function startDevelopment(): Promise<void> {
  const begun = performance.now();
  process.env.NODE_ENV = "development";
  const config = readConfiguration();
  await claimPlace(config);
  const database = await openPostgres(config);
  const { startDevServer } = await import("./dev-server.ts");
  const devServer = await startDevServer(config, database.url);
  logStart(config, devServer.notes, begun);
  handleSignals(config, async () => {
    await devServer.close();
    await database.stop();
  });
}

async function serve(
  config: Config,
  database: Postgres,
  app: typeof App,
  begun: number,
): Promise<void> {
  try {
    const product = await app.startProduct(config, database.url);
    logStart(config, product.notes, begun);
    handleSignals(config, async () => {
      await product.close();
      await database.stop();
    });
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Does an operator's command on the same database, whether or not the product is running. */
async function runAdminCommand(): Promise<void> {
  await buildIfStale({ root, log: () => {} });
  const app = await loadBuiltApp();
  process.exitCode = await app.runOperator(args, {
    configure: readConfiguration,
    openPostgres: openWithoutPooler,
  });
}

async function loadDemoData(): Promise<void> {
  const config = readConfiguration();
  await buildIfStale({ root, log: () => {} });
  const app = await loadBuiltApp();
  const database = await openWithoutPooler(config);
  await app.loadDemoData(config, database.url).finally(database.stop);
}

/** Both take a moment and neither needs the other; a failed build leaves no database running. */
async function openWhileBuilding(config: Config): Promise<Postgres> {
  const [database, build] = await Promise.allSettled([
    openPostgres(config),
    buildIfStale({ root, log: writeLine }),
  ]);
  if (database.status === "rejected") throw database.reason;
  if (build.status === "fulfilled") return database.value;
  await database.value.stop();
  throw build.reason;
}

type Postgres = { url: string; stop(): Promise<void> };

async function openPostgres({ databaseUrl, dataDir }: Config, log = writeLine): Promise<Postgres> {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} };
  return startEmbeddedPostgres({ dataDir, log });
}

/** Commands migrate, and hold one connection for long. */
async function openWithoutPooler(config: Config, log = writeLine): Promise<Postgres> {
  const { url, stop } = await openPostgres(config, log);
  return { url: config.databaseDirectUrl ?? url, stop };
}

async function loadBuiltApp(): Promise<typeof App> {
  return import(pathToFileURL(resolve(root, "build/server/index.js")).href);
}

function logStart(config: Config, notes: string[], begun: number): void {
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(
    [`\n${config.product.name} is at ${config.origin} (ready in ${seconds} s)`, ...notes, ""].join(
      "\n",
    ),
  );
}

/** A frozen database never closes its connections. */
const longestEndMs = 30_000;

/** Ends everything in order at the first signal; a second one does not hurry it. */
function handleSignals({ drainSeconds }: Config, end: () => Promise<void>): void {
  let ending = false;
  const onSignal = () => {
    if (ending) return;
    ending = true;
    setTimeout(
      () => {
        console.error("The database does not let go, and is left.");
        process.exit(1);
      },
      drainSeconds * 1000 + longestEndMs,
    ).unref();
    end().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
}

function writeLine(line: string): void {
  console.log(line);
}

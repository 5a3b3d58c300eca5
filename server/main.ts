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
 * The entry point: `node server/main.ts start | dev | admin … | demo-data`.
 * Runs directly on Node. Everything with screens is imported from the build.
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
    throw new Error(`Unknown command "${command}". Commands: ${Object.keys(commands).join(", ")}.`);
  await run();
} catch (error) {
  console.error(
    error instanceof Error && process.env.LOG_LEVEL !== "debug" ? formatStartError(error) : error,
  );
  // Open resources would keep the process alive.
  process.exit(error instanceof Error && "exitCode" in error ? Number(error.exitCode) : 1);
}

/**
 * Formats a startup error, with the cause of an unavailable service, which the operator has to fix.
 */
function formatStartError(error: Error): string {
  return "why" in error ? `${error.message} (${String(error.why)})` : error.message;
}

/** Reads the settings and prints warnings about misspelled ones. */
function readConfiguration(): Config {
  const lines = loadEnvFile(root);
  const config = readConfig(process.env, lines);
  for (const warning of listMisspelledSettings(process.env)) console.error(warning);
  return config;
}

/** Builds if sources changed, starts PostgreSQL in parallel, then serves until a signal. */
async function start(): Promise<void> {
  const startedAt = performance.now();
  const config = readConfiguration();
  await claimPlace(config);
  const database = await openWhileBuilding(config);
  await serve(config, database, await loadBuiltApp(), startedAt);
}

/** Serves the sources through Vite, which reloads changed files. */
async function startDevelopment(): Promise<void> {
  const startedAt = performance.now();
  process.env.NODE_ENV = "development";
  const config = readConfiguration();
  await claimPlace(config);
  const database = await openPostgres(config);
  const { startDevServer } = await import("./dev-server.ts");
  const devServer = await startDevServer(config, database.url);
  logStart(config, devServer.notes, startedAt);
  handleSignals(config, async () => {
    await devServer.close();
    await database.stop();
  });
}

async function serve(
  config: Config,
  database: Postgres,
  app: typeof App,
  startedAt: number,
): Promise<void> {
  try {
    const product = await app.startProduct(config, database.url);
    logStart(config, product.notes, startedAt);
    handleSignals(config, async () => {
      await product.close();
      await database.stop();
    });
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Runs an operator command on the same database, whether or not the product is running. */
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

/** Opens the database and builds in parallel. Stops the database if the build fails. */
async function openWhileBuilding(config: Config): Promise<Postgres> {
  const [database, build] = await Promise.allSettled([
    openPostgres(config),
    buildIfStale({ root, log: writeLine, gallery: config.mode === "demo" ? undefined : false }),
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

/** Avoids the pooler, because commands migrate and hold a connection for long. */
async function openWithoutPooler(config: Config, log = writeLine): Promise<Postgres> {
  const { url, stop } = await openPostgres(config, log);
  return { url: config.databaseDirectUrl ?? url, stop };
}

async function loadBuiltApp(): Promise<typeof App> {
  return import(pathToFileURL(resolve(root, "build/server/index.js")).href);
}

function logStart(config: Config, notes: string[], startedAt: number): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    [
      `\n${config.product.name} is running at ${config.origin} (ready in ${seconds} s)`,
      ...notes,
      "",
    ].join("\n"),
  );
}

/** Limits the shutdown, because a frozen database never closes its connections. */
const shutdownTimeoutMs = 30_000;

/** Shuts down in order at the first signal and ignores further ones. */
function handleSignals({ drainSeconds }: Config, end: () => Promise<void>): void {
  let ending = false;
  const onSignal = () => {
    if (ending) return;
    ending = true;
    setTimeout(
      () => {
        console.error("The database did not close its connections in time. Exiting.");
        process.exit(1);
      },
      drainSeconds * 1000 + shutdownTimeoutMs,
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

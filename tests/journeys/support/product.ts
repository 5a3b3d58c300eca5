import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../app/platform/database.server.ts";
import { freePorts } from "../../support/product/free-ports.ts";
import { dropDatabase, onServer } from "../../support/product/own-postgres.ts";
import { start } from "../../support/product/own-product.ts";

/** A running product with its own ports and data, for one test worker. */
export type RunningProduct = {
  origin: string;
  port: number;
  /** The current process. */
  readonly pid: number;
  standIn: string;
  db: Database;
  /** The process's output so far. */
  output(): string;
  /** Kills the process, as in a crash. */
  kill(): Promise<void>;
  /** Restarts it on the same ports and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts `server/main.ts start` as a process and waits until it is ready. */
export async function startProduct(env: Record<string, string> = {}): Promise<RunningProduct> {
  const server = process.env.TEST_DATABASE_URL!;
  const name = `journey_${randomUUID().replaceAll("-", "")}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-product-"));
  const port = await freePorts(3);
  const settings = {
    PORT: String(port),
    PAYU_STAND_IN_PORT: String(port + 1),
    DATA_DIR: dataDir,
    DATABASE_URL: url.href,
    // On a busy machine, a new connection alone can take longer than a person would wait.
    PAGE_TIMEOUT: "60",
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
    ...env,
  };
  let { child, printed } = await start(settings);
  const { db, close } = openDatabase(url.href, { max: 3 });
  return {
    origin: `http://localhost:${port}`,
    port,
    get pid() {
      return child.pid!;
    },
    standIn: `http://127.0.0.1:${port + 1}`,
    db,
    output: () => printed(),
    kill: () => stop(child, "SIGKILL"),
    async restart() {
      await stop(child, "SIGTERM");
      ({ child, printed } = await start(settings));
    },
    async stop() {
      await close();
      await stop(child, "SIGTERM");
      await dropDatabase(server, name);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exit;
}

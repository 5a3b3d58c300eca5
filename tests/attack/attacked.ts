import { once } from "node:events";
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { testDatabase } from "../support/product/database.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { end, launch, untilReady } from "../support/product/own-product.ts";
import { whenFileEnds } from "../support/product/when-file-ends.ts";
import { ownFolder } from "../support/product/own-folder.ts";

/** No answer may contain this secret. */
const secret = "only-this-installation-knows-it-0123456789";

/** The length and seed of an attack. `npm run attack` sets both; normal tests run a short one. */
export const requests = Number(process.env.ATTACK_REQUESTS ?? 300);
export const seed = Number(process.env.ATTACK_SEED ?? 1);
export const isLong = process.env.ATTACK_REQUESTS !== undefined;

/** Prints a figure of a long attack. */
export function say(line: string): void {
  if (isLong) console.log(line);
}

export type Attacked = Awaited<ReturnType<typeof attackedProduct>>;

/**
 * Starts the built product as a separate process with its own database and the demo data. It ends with the test
 * file.
 */
export async function attackedProduct() {
  const { db, url } = await testDatabase();
  const port = await freePorts(4);
  const dataDir = ownFolder();
  const launched = launch({
    PORT: String(port),
    METRICS_PORT: String(port + 3),
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    SECRET: secret,
    RATE_LIMITS: "off",
    // Any free port for the inspector, which measures memory.
    NODE_OPTIONS: "--inspect-port=0",
  });
  const { child, printed } = launched;
  // Registered before it is ready, so that a start that times out is ended too.
  whenFileEnds(async () => {
    if (child.exitCode === null) await end(child, "SIGTERM");
  });
  await untilReady(launched);
  const hidden = [secret, process.cwd(), new URL(url).password].filter(Boolean);
  return {
    db,
    port,
    metricsPort: port + 3,
    origin: `http://localhost:${port}`,
    printed,
    /** Settings that only god admins see: folders, the database's address. */
    secrets: [...hidden, dataDir],
    /** Facts that no answer may show. */
    hidden,
    /** Log lines that report a bug, and errors printed outside the log. */
    bugs: () => printed().split("\n").filter(isBug),
    async memoryAtRest() {
      // Changing a job empties the caches, which are full after an attack.
      await db.execute(sql`update jobs set title = title`);
      return askInspector(child.pid!, printed);
    },
  };
}

function isBug(line: string): boolean {
  if (!line.startsWith("{")) return /\berror\b|warning|\n? {4}at /i.test(line);
  return (JSON.parse(line) as { level: number }).level >= 50;
}

export type Memory = { heap: number; resident: number };

/** Reads the memory in MB after a garbage collection, from the process's inspector. */
async function askInspector(pid: number, printed: () => string): Promise<Memory> {
  process.kill(pid, "SIGUSR1");
  const address = /ws:\/\/\S+/;
  await expect.poll(printed).toMatch(address);
  const socket = new WebSocket(address.exec(printed())![0]);
  await once(socket, "open");
  const call = async (id: number, method: string, params = {}) => {
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [{ data }] = (await once(socket, "message")) as [MessageEvent<string>];
      const answer = JSON.parse(data) as { id?: number; result?: { result: { value: string } } };
      if (answer.id === id) return answer.result?.result?.value ?? "";
    }
  };
  await call(1, "HeapProfiler.collectGarbage");
  await call(2, "HeapProfiler.collectGarbage");
  const expression = "JSON.stringify(process.memoryUsage())";
  const usage = JSON.parse(await call(3, "Runtime.evaluate", { expression })) as NodeJS.MemoryUsage;
  socket.close();
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return { heap: megabytes(usage.heapUsed + usage.external), resident: megabytes(usage.rss) };
}

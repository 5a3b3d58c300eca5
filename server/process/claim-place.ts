import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Config } from "../../app/platform/config.server.ts";
import { acquireProcessLock } from "./process-lock.ts";

/**
 * Locks the data folder for this process and checks that its ports are free, before anything else is started.
 *
 * @throws {Error} with the other process, or with the port and its setting.
 */
export async function claimPlace(config: Config): Promise<void> {
  // With DATABASE_URL, several processes may share the files.
  if (!config.databaseUrl) await claimFolder(config);
  const standInPorts = config.role === "web" ? null : config.payu.standInPorts;
  await requireFreePort(config.port, config.host, "Set PORT to another one.");
  if (config.metricsPort !== null)
    await requireFreePort(
      config.metricsPort,
      config.metricsHost,
      "Set METRICS_PORT to another one.",
    );
  for (const port of standInPorts ? [standInPorts.checkout, standInPorts.bank] : []) {
    const solution =
      "The test payment page needs it. Set PAYU_STAND_IN_PORT to the first of two free ports.";
    await requireFreePort(port, "127.0.0.1", solution);
  }
}

async function claimFolder({ dataDir, origin, product, role }: Config): Promise<void> {
  if (role !== "all")
    throw new Error(
      `ROLE=${role} needs DATABASE_URL. The embedded database supports only a single process with ROLE=all.`,
    );
  const note = join(dataDir, "serving.txt");
  if (await acquireProcessLock(join(dataDir, "serving.lock"))) {
    await writeFile(note, `process ${process.pid} at ${origin}`);
    return;
  }
  const owner = await readFile(note, "utf8").catch(() => "another process");
  throw new Error(
    `${product.name} is already running from ${dataDir}: ${owner}. Stop it first, or set another PORT and DATA_DIR for this one.`,
  );
}

async function requireFreePort(port: number, host: string, solution: string): Promise<void> {
  const probe = createServer();
  const failure = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    probe.once("error", resolve);
    probe.listen(port, host, () => resolve(null));
  });
  if (!failure) await new Promise((resolve) => probe.close(resolve));
  else if (failure.code === "EADDRINUSE") throw new Error(`Port ${port} is in use. ${solution}`);
  else throw new Error(`Port ${port} cannot be used: ${failure.message}. ${solution}`);
}

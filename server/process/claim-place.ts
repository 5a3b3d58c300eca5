import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Config } from "../../app/platform/config.server.ts";
import { acquireProcessLock } from "./process-lock.ts";

/**
 * Takes the data folder for this process, and looks whether its ports are free, before anything is
 * started for it.
 *
 * @throws {Error} that names the other process, or the port and the setting that changes it.
 */
export async function claimPlace(config: Config): Promise<void> {
  // Over a database that is named, several processes may well share the files.
  if (!config.databaseUrl) await claimFolder(config);
  const standInPorts = config.role === "web" ? null : config.payu.standInPorts;
  await requireFreePort(config.port, config.host, "PORT names another one.");
  if (config.metricsPort !== null)
    await requireFreePort(
      config.metricsPort,
      config.metricsHost,
      "METRICS_PORT names another one.",
    );
  for (const port of standInPorts ? [standInPorts.checkout, standInPorts.bank] : []) {
    const way = "The PayU stand-in needs it; PAYU_STAND_IN_PORT names the first of its two.";
    await requireFreePort(port, "127.0.0.1", way);
  }
}

async function claimFolder({ dataDir, origin, product, role }: Config): Promise<void> {
  if (role !== "all")
    throw new Error(
      `ROLE=${role} needs DATABASE_URL: the embedded database is for one process that does everything.`,
    );
  const note = join(dataDir, "serving.txt");
  if (await acquireProcessLock(join(dataDir, "serving.lock"))) {
    await writeFile(note, `process ${process.pid}, at ${origin}`);
    return;
  }
  const who = await readFile(note, "utf8").catch(() => "another process");
  throw new Error(
    `${product.name} is already served from ${dataDir}: ${who}. Stop it first, or give this one a PORT and a DATA_DIR of its own.`,
  );
}

async function requireFreePort(port: number, host: string, otherwise: string): Promise<void> {
  const probe = createServer();
  const failure = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    probe.once("error", resolve);
    probe.listen(port, host, () => resolve(null));
  });
  if (!failure) await new Promise((resolve) => probe.close(resolve));
  else if (failure.code === "EADDRINUSE") throw new Error(`Port ${port} is taken. ${otherwise}`);
  else throw new Error(`Port ${port} cannot be used: ${failure.message}. ${otherwise}`);
}

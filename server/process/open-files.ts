import { join } from "node:path";
import { createDiskStore } from "../../app/files/disk-store.server.ts";
import { createObjectPartials, openSpool } from "../../app/files/receive/object-partials.server.ts";
import {
  createDiskPartials,
  type Partials,
  getUploadsFolder,
} from "../../app/files/receive/partials.server.ts";
import type { FileStore } from "../../app/files/store.server.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Leases } from "../../app/platform/leases.server.ts";
import { acquireProcessLock } from "./process-lock.ts";

type Place = Pick<Config, "dataDir" | "s3">;

/** For a process that has the place to itself, whether or not there is a database yet. */
const alone: Leases = {
  take: async () => ({ giveBack: async () => {} }),
  askFor: async () => {},
};

/**
 * Finished files: in the bucket that the settings name, else in the data folder.
 *
 * @param leases keep processes that put the same path from each other
 */
export async function openStore({ dataDir, s3 }: Place, leases = alone): Promise<FileStore> {
  if (!s3) return createDiskStore(join(dataDir, "files"));
  const { openObjects, createS3Store } = await loadS3();
  return createS3Store(openObjects(s3), leases);
}

/** Files that are still arriving, in the same place. */
export async function openPartials(config: Place): Promise<Partials> {
  const { dataDir, s3 } = config;
  if (!s3) return createDiskPartials(getUploadsFolder(config));
  const spool = await openSpool(await claimFolder(join(dataDir, "spool")), s3.spoolBytes);
  const { openObjects } = await loadS3();
  return createObjectPartials(openObjects(s3), spool);
}

/** Its client takes a while to load and 37 MB, which a process without a bucket never needs. */
const loadS3 = () => import("../../app/files/s3-store.server.ts");

/** The first folder that no other process has: what is in it was left by one that died. */
async function claimFolder(above: string): Promise<string> {
  let turn = 1;
  while (!(await acquireProcessLock(join(above, `${turn}.lock`)))) turn++;
  return join(above, String(turn));
}

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

/** Leases for a process that uses the files alone, without a database. */
const noLeases: Leases = {
  take: async () => ({ giveBack: async () => {} }),
  askFor: async () => {},
};

/**
 * Opens the store of finished files: the bucket in the settings, else the data folder.
 *
 * @param leases prevent processes from writing the same path at the same time
 */
export async function openStore({ dataDir, s3 }: Place, leases = noLeases): Promise<FileStore> {
  if (!s3) return createDiskStore(join(dataDir, "files"));
  const { openObjects, createS3Store } = await loadS3();
  return createS3Store(openObjects(s3), leases);
}

/** Opens the store of unfinished uploads, in the same place. */
export async function openPartials(config: Place): Promise<Partials> {
  const { dataDir, s3 } = config;
  if (!s3) return createDiskPartials(getUploadsFolder(config));
  const spool = await openSpool(await claimFolder(join(dataDir, "spool")), s3.spoolBytes);
  const { openObjects } = await loadS3();
  return createObjectPartials(openObjects(s3), spool);
}

/** Loads the S3 client only when needed, because it is slow and takes 37 MB. */
const loadS3 = () => import("../../app/files/s3-store.server.ts");

/** Claims the first folder that no other process has locked. Its files are from a process that died. */
async function claimFolder(parent: string): Promise<string> {
  let number = 1;
  while (!(await acquireProcessLock(join(parent, `${number}.lock`)))) number++;
  return join(parent, String(number));
}

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { setOwner, getSpawnOptions } from "./account.ts";
import type { Home } from "./account.ts";
import type { Binaries } from "./binaries.ts";

/** The data of one server, in PostgreSQL's terms. */
export type Cluster = {
  folder: string;
  password: string;
  logFile: string;
  home: Home;
  binaries: Binaries;
};

/** The name of the database and of the superuser, which is used only for maintenance. */
export const databaseName = "naksha";

/** Finds or creates the data. Call it under the home's lock. */
export async function findOrCreateCluster(
  home: Home,
  binaries: Binaries,
  options: { durable: boolean; log: (message: string) => void },
): Promise<Cluster> {
  const folder = join(home.folder, "cluster");
  const passwordFile = join(home.folder, "password");
  if (!existsSync(folder)) {
    options.log(`Setting up PostgreSQL in ${home.folder}`);
    await createCluster(folder, passwordFile, home, binaries, options.durable);
  }
  return {
    folder,
    password: await readFile(passwordFile, "utf8"),
    logFile: join(home.folder, "postgres.log"),
    home: { ...home, account: home.account && (await findOwner(folder)) },
    binaries,
  };
}

/** Works in a temporary folder and renames it at the end, so that a killed setup leaves nothing incomplete. */
async function createCluster(
  folder: string,
  passwordFile: string,
  home: Home,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  await removeUnfinished(home);
  await writeFile(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  await setOwner(passwordFile, home.account);
  const unfinished = join(home.folder, `cluster.unfinished-${randomBytes(4).toString("hex")}`);
  await mkdir(unfinished, { mode: 0o700 });
  await setOwner(unfinished, home.account);
  const args = [
    `--pgdata=${unfinished}`,
    `--username=${databaseName}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    ...getLocaleOptions(),
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"]),
  ];
  try {
    await promisify(execFile)(binaries.initdb, args, getSpawnOptions(home));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await rename(unfinished, folder);
}

/** Sorts text by code point but classifies letters as UTF-8, because plain C finds no trigrams in Hindi. */
function getLocaleOptions(): string[] {
  if (process.platform === "linux") return ["--locale=C.UTF-8"];
  if (process.platform === "darwin") return ["--locale=C", "--lc-ctype=UTF-8"];
  return ["--locale=C", "--lc-ctype=en-US"];
}

async function removeUnfinished(home: Home): Promise<void> {
  for (const name of await readdir(home.folder)) {
    if (!name.startsWith("cluster.unfinished-")) continue;
    // An initdb whose parent was killed may still write there, which does no harm.
    await rm(join(home.folder, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** The account that created the data must run the server, even if the machine has a `postgres` user by now. */
async function findOwner(folder: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(folder);
  return { uid, gid };
}

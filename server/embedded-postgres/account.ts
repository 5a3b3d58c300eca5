import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, chown, mkdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** The operating system account that the server runs as. Null means: the one we run as. */
export type Account = { uid: number; gid: number } | null;

/** The folder and account of the embedded server. */
export type Home = {
  folder: string;
  lock: string;
  /** A folder where the account can read copied binaries; null when they are used as installed. */
  binariesFolder: string | null;
  account: Account;
};

/** Out of a home directory closed to others, which the server's account could not enter. */
const machineFolder = "/var/lib/naksha";

/**
 * Chooses the folder and account for one data directory, and creates the folder. PostgreSQL refuses to run as
 * root: then it runs as `postgres` if that exists, else as `nobody`.
 */
export async function getPostgresHome(dataDir: string): Promise<Home> {
  const asRoot = process.getuid?.() === 0;
  const wanted = asRoot
    ? join(machineFolder, hashShort(resolve(dataDir)))
    : join(resolve(dataDir), "postgres");
  await mkdir(wanted, { recursive: true });
  if (asRoot) {
    for (const folder of [machineFolder, wanted]) await chmod(folder, 0o755);
  }
  // The server is recognised by this path on its command line, so it must have one spelling.
  const folder = await realpath(wanted);
  return {
    folder,
    lock: join(folder, "start.lock"),
    binariesFolder: asRoot ? machineFolder : null,
    account: asRoot ? ((await findAccount("postgres")) ?? (await requireAccount("nobody"))) : null,
  };
}

/** Gives a file or folder to the account that must read it. */
export async function setOwner(path: string, account: Account): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
}

/** Returns the options for the server's programs: its account, and none of our settings. */
export function getSpawnOptions(home: Home) {
  const { PATH, SystemRoot } = process.env;
  return {
    cwd: home.folder,
    // PostgreSQL refuses to start on macOS without a valid LC_ALL.
    env: { PATH, SystemRoot, LC_ALL: "C" },
    ...home.account,
  };
}

async function requireAccount(name: string): Promise<Account> {
  const account = await findAccount(name);
  if (account) return account;
  throw new Error(
    "PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody.",
  );
}

async function findAccount(name: string): Promise<Account> {
  const run = promisify(execFile);
  try {
    const [user, group] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
    return { uid: Number(user.stdout), gid: Number(group.stdout) };
  } catch {
    return null;
  }
}

function hashShort(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, chown, mkdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** The operating system account that the server runs as; null for the current one. */
type Account = { uid: number; gid: number } | null;

/** The folder and account of the embedded server. */
export type Home = {
  folder: string;
  lock: string;
  /** The folder for copies of the binaries that the account can read; null to use the installed ones. */
  binariesFolder: string | null;
  account: Account;
};

/** The server's account may not be able to enter a home directory. */
const machineFolder = "/var/lib/naksha";

/**
 * Chooses the folder and account for a data directory, and creates the folder. PostgreSQL refuses to run as
 * root, so root starts it as `postgres` if that account exists, else as `nobody`.
 */
export async function getPostgresHome(dataDir: string): Promise<Home> {
  const asRoot = process.getuid?.() === 0;
  const path = asRoot
    ? join(machineFolder, hashShort(resolve(dataDir)))
    : join(resolve(dataDir), "postgres");
  await mkdir(path, { recursive: true });
  if (asRoot) {
    for (const folder of [machineFolder, path]) await chmod(folder, 0o755);
  }
  // The server is recognised by this path on its command line, so it must be the canonical one.
  const folder = await realpath(path);
  return {
    folder,
    lock: join(folder, "start.lock"),
    binariesFolder: asRoot ? machineFolder : null,
    account: asRoot ? ((await findAccount("postgres")) ?? (await requireAccount("nobody"))) : null,
  };
}

/** Makes the account the owner of a file or folder. */
export async function setOwner(path: string, account: Account): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
}

/** Returns spawn options with the server's account and without our environment variables. */
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
    "PostgreSQL cannot run as root, and this machine has neither the user postgres nor nobody.",
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

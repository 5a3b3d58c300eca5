import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { hour, now } from "../app/platform/clock.ts";
import { applyMigrations, openDatabase } from "../app/platform/database.server.ts";
import { createLog } from "../app/platform/log.server.ts";
import { startTasks } from "../app/platform/tasks.server.ts";
import { testTasks } from "../tests/support/product/tasks.ts";
import { whenFileEnds } from "../tests/support/product/when-file-ends.ts";
import { getPostgresHome } from "./embedded-postgres/account.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import type { EmbeddedPostgres } from "./embedded-postgres.ts";

test("a new server supports Hindi and ICU sorting and requires the password", async () => {
  const start = await newServer({ isFresh: true });
  const first = await start();

  expect(first.reused).toBe(false);
  await query(first.url, "create extension pg_trgm");
  expect(await query(first.url, "select show_trgm('नक्शा') as found")).not.toEqual([{ found: [] }]);
  expect(
    await query(first.url, "select 1 as found from pg_collation where collname = 'und-x-icu'"),
  ).toHaveLength(1);
  const wrong = new URL(first.url);
  wrong.password = "guessed";
  await expect(query(wrong.href, "select 1")).rejects.toThrow("password authentication failed");
});

// Covered by "data survives a killed server".
test("data survives a restart @slow", async () => {
  const start = await newServer();
  const first = await start();
  await query(first.url, "create table note as select 'kept' as text");
  await first.stop();
  await expect(query(first.url, "select 1")).rejects.toThrow("ECONNREFUSED");

  const second = await start();
  expect(second.reused).toBe(false);
  expect(await query(second.url, "table note")).toEqual([{ text: "kept" }]);
});

// Covered by "a new server supports Hindi".
test("a server starts and stops while the computer's clock is being set @slow", async () => {
  const start = await newServer();
  let clock = now().getTime();
  vi.spyOn(Date, "now").mockImplementation(() => (clock += hour));
  onTestFinished(() => void vi.restoreAllMocks());
  const first = await start();
  expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await first.stop();
  await expect(query(first.url, "select 1")).rejects.toThrow("ECONNREFUSED");
});

test("data survives a killed server", async () => {
  const start = await newServer({ durable: true });
  const first = await start();
  await query(first.url, "create table note as select 'kept' as text");
  process.kill(await postmasterOf(first), "SIGKILL");

  const second = await start();
  expect(await query(second.url, "table note")).toEqual([{ text: "kept" }]);
  await first.stop();
  expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a server whose parent was killed is reused and can be stopped", async () => {
  const start = await newServer();
  const { parent, url } = await startInChild(start.dataDir);
  parent.kill("SIGKILL");
  await once(parent, "exit");

  const found = await start();
  expect(found).toMatchObject({ reused: true, url });
  await found.stop();
  await expect(query(url, "select 1")).rejects.toThrow("ECONNREFUSED");
});

// Covered by "a server that dies is restarted".
test("copies that start at the same time share one server, and the last one stops it @slow", async () => {
  const start = await newServer({ isFresh: true });
  const [first, second, third] = await Promise.all([start(), start(), startInChild(start.dataDir)]);

  expect(new Set([first.url, second.url, third.url])).toHaveLength(1);
  await first.stop();
  await second.stop();
  expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
  third.parent.stdin?.end();
  await once(third.parent, "exit");
  await expect(query(first.url, "select 1")).rejects.toThrow("ECONNREFUSED");
});

// Covered by "a server whose parent was killed".
test("a process id in the server's file that was reused does not prevent a start @slow", async () => {
  const start = await newServer();
  const first = await start();
  const pidFile = join(first.folder, "cluster", "postmaster.pid");
  const text = await readFile(pidFile, "utf8");
  await first.stop();
  await writeFile(pidFile, text.replace(/^\d+/, String(process.pid)));

  expect((await start()).reused).toBe(false);
});

test("a server that dies is restarted on the same port by the copies that use it", async () => {
  const start = await newServer({ durable: true });
  const [first, second] = await Promise.all([start(), start()]);
  await query(first.url, "create table note as select 'kept' as text");
  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    const pid = await postmasterOf(first);
    process.kill(pid, signal);
    await expect.poll(() => postmasterOf(first).catch(() => pid)).not.toBe(pid);
    await expect
      .poll(() => query(second.url, "table note").catch(() => []))
      .toEqual([{ text: "kept" }]);
  }
  // The last copy stops the server only after both leases are reacquired.
  await expect
    .poll(async () => (await query(await superuserUrl(first), ownLease).catch(() => [])).length)
    .toBe(2);
  await first.stop();
  expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await second.stop();
  await expect(query(first.url, "select 1")).rejects.toThrow("ECONNREFUSED");
});

// Covered by "a server that dies is restarted".
test("a server stays in use after one of its processes was killed @slow", async () => {
  const start = await newServer();
  const first = await start();
  const [backend] = (await query(await superuserUrl(first), ownLease)) as { pid: number }[];
  process.kill(backend!.pid, "SIGKILL");
  await expect
    .poll(async () => (await query(await superuserUrl(first), ownLease).catch(() => [])).length)
    .toBe(1);
  const { parent } = await startInChild(start.dataDir);
  parent.stdin?.end();
  await once(parent, "exit");
  expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("the product is not a superuser and can migrate", async () => {
  const start = await newServer();
  const { url } = await start();
  expect(await query(url, "select rolsuper from pg_roles where rolname = current_user")).toEqual([
    { rolsuper: false },
  ]);
  await expect(query(url, "copy (select 1) to program 'true'")).rejects.toThrow(
    "permission denied",
  );
  await applyMigrations(url);
});

// Covered by "the product is not a superuser".
test("the next start gives the objects of a superuser to the owner @slow", async () => {
  const start = await newServer();
  const first = await start();
  const superuser = await superuserUrl(first);
  await query(superuser, "alter database naksha owner to naksha; drop role naksha_owner");
  await applyMigrations(superuser);
  const database = openDatabase(superuser);
  const stopTasks = await startTasks(database, testTasks(), createLog("silent"));
  await stopTasks();
  await database.close();
  await first.stop();

  const { url } = await start();
  expect(await query(url, leftToSuperuser)).toEqual([]);
  await applyMigrations(url);
  await query(url, "alter table users add column note text");
  await query(url, "drop schema pgboss cascade");
});

/** The lease connection of a copy. */
const ownLease = "select pid from pg_stat_activity where application_name = 'naksha lease'";

/** The superuser's objects, except those of PostgreSQL and of extensions. */
const leftToSuperuser = `
  select format('%s %s', dependent.classid::regclass, dependent.objid) as thing
  from (select 'pg_class'::regclass as classid, oid as objid, relowner as owner, relnamespace as space from pg_class
    union all select 'pg_proc'::regclass, oid, proowner, pronamespace from pg_proc
    union all select 'pg_type'::regclass, oid, typowner, typnamespace from pg_type
    union all select 'pg_namespace'::regclass, oid, nspowner, oid from pg_namespace) as dependent
  where owner = 'naksha'::regrole
    and space::regnamespace::text !~ '^(pg_|information_schema)'
    and not exists (select from pg_depend where deptype = 'e'
      and (pg_depend.classid, pg_depend.objid) = (dependent.classid, dependent.objid))`;

test("a failed start reports the last lines of the server's log", async () => {
  const start = await newServer();
  const first = await start();
  await first.stop();
  await writeFile(join(first.folder, "cluster", "PG_VERSION"), "9\n");

  await expect(start()).rejects.toThrow(
    /did not start: it ended with code 1[^]*incompatible with server/,
  );
});

/**
 * A stopped server that tests copy, because setting one up takes longer than most tests. The first test creates it.
 */
const stopped = { folder: null as string | null };

whenFileEnds(async () => {
  if (stopped.folder) await rm(stopped.folder, { recursive: true, force: true });
});

async function copyStopped(home: string): Promise<void> {
  stopped.folder ??= await makeStopped();
  for (const part of ["cluster", "password"])
    await promisify(execFile)("cp", ["-pR", join(stopped.folder, part), join(home, part)]);
}

async function makeStopped(): Promise<string> {
  const dataDir = await newFolder();
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });
  await server.stop();
  // Each copy chooses its own port.
  await rm(join(server.folder, "cluster", "postmaster.opts"));
  return server.folder;
}

async function newFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-postgres-"));
  await chmod(dataDir, 0o700);
  whenFileEnds(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/**
 * @param isFresh true if the first start has to set up the server
 * @returns a function that starts a server in a new data folder, which is removed after the test.
 */
async function newServer({ durable = false, isFresh = false } = {}) {
  const dataDir = await newFolder();
  const { folder: home } = await getPostgresHome(dataDir);
  if (!isFresh) await copyStopped(home);
  const started: EmbeddedPostgres[] = [];
  onTestFinished(async () => {
    for (const server of started) await server.stop();
    await rm(home, { recursive: true, force: true });
  });
  const start = async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: () => {}, durable });
    started.push(server);
    return server;
  };
  return Object.assign(start, { dataDir });
}

/** Starts another copy of the product, which stops its server when its input ends. */
async function startInChild(dataDir: string): Promise<{ parent: ChildProcess; url: string }> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL("embedded-postgres.ts", import.meta.url).href)};
    const server = await startEmbeddedPostgres({ dataDir: process.argv[1], log: () => {}, durable: false });
    console.log(server.url);
    process.stdin.resume().on("end", () => server.stop());
  `;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", script, dataDir], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  return { parent, url: line.toString().trim() };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function superuserUrl({ url, folder }: EmbeddedPostgres): Promise<string> {
  const superuser = new URL(url);
  superuser.username = "naksha";
  superuser.password = await readFile(join(folder, "password"), "utf8");
  return superuser.href;
}

async function postmasterOf(server: EmbeddedPostgres): Promise<number> {
  return Number.parseInt(
    await readFile(join(server.folder, "cluster", "postmaster.pid"), "utf8"),
    10,
  );
}

import { randomUUID } from "node:crypto";
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { getPostgresHome } from "../../server/embedded-postgres/account.ts";
import { onServer } from "../support/product/own-postgres.ts";
import { testDatabase } from "../support/product/database.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { confirm, signUp } from "./accounts.ts";
import { complaints } from "./complaints.ts";
import { say } from "./figures.ts";
import { flows } from "./flows.ts";
import { underLoad } from "./load.ts";
import { missing } from "./missing.ts";
import { soon } from "./soon.ts";
import { world as startWorld } from "./world.ts";

/** Fewer connections than a single process would open. */
const serverConnections = 4;

const database = await testDatabase();
const pooledUrl = await startPooler(database.url);
const world = await startWorld(
  { db: database.db, url: pooledUrl },
  { DATABASE_DIRECT_URL: database.url },
);

test("a person signs up, confirms the address and is signed in", async () => {
  const asha = await confirm(world, await signUp(world, `${randomUUID()}@example.com`));
  expect((await asha!.get("/profile")).status).toBe(200);
});

test.each(flows)("$name succeeds once", async (flow) => {
  const attempt = await flow.prepare(world);
  expect(await attempt.act()).toBe(true);
  expect(await attempt.wrong()).toEqual([]);
});

test("a cached page is updated as soon as a job changes", async () => {
  const company = `Studio ${randomUUID().slice(0, 8)}`;
  const board = async () => (await world.visitor.get("/jobs")).text();
  expect(await board()).not.toContain(company);
  const job = { intent: "create-job", title: "Type Designer", company, location: "Pune" };
  const texts = { description: "Draws letters.", largeDescription: "Draws letters all day." };
  await world.admin.browser.post("/admin/jobs", { ...job, ...texts });
  await soon(async () => (await board()).includes(company), 2);
});

test("all flows at the same time use few connections", async () => {
  const load = underLoad(world, flows);
  let peak = 0;
  for (let turn = 0; turn < 100; turn += 1) {
    const { rows } = await world.db.execute<{ count: number }>(sql`select count(*)::int as count
      from pg_stat_activity where datname = current_database() and application_name in ('naksha', 'naksha tasks')`);
    peak = Math.max(peak, rows[0]!.count);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { done, wrong } = await load.end();
  expect(wrong).toEqual([]);
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThanOrEqual(serverConnections);
  expect(done).toBeGreaterThan(20);
  expect(await complaints(world)).toEqual([]);
  say("pooler", [`${flows.length} flows`, `${done} actions over ${peak} connections`]);
});

/** Starts PgBouncer, which gives each transaction another connection to the server. @returns its URL */
async function startPooler(databaseUrl: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "naksha-pooler-"));
  const port = await freePorts(1);
  const { hostname, port: at, pathname, username, password } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const config = join(folder, "pgbouncer.ini");
  // PgBouncer does not run as root.
  const { account } = await getPostgresHome(folder);
  const isRoot = userInfo().uid === 0;
  await writeFile(
    config,
    `[databases]
${name} = host=${hostname} port=${at} dbname=${name} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 200
server_idle_timeout = 5
`,
  );
  if (account) for (const path of [folder, config]) await chown(path, account.uid, account.gid);
  await chmod(folder, 0o700);
  const child = spawn("pgbouncer", [config], {
    ...(isRoot && account),
    stdio: ["ignore", "ignore", "pipe"],
  });
  afterAll(async () => {
    child.kill("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  });
  await waitForStart(child);
  const url = new URL(databaseUrl);
  url.port = String(port);
  await soon(async () => (await onServer(url.href, "select 1"), true), 10);
  return url.href;
}

function waitForStart(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", () => reject(missing("PgBouncer", "pgbouncer")));
    child.once("spawn", resolve);
  });
}

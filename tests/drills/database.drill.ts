import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { minute, second } from "../../app/platform/clock.ts";
import { applyMigrations, openDatabase } from "../../app/platform/database.server.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { startTasks } from "../../app/platform/tasks.server.ts";
import { startEmbeddedPostgres } from "../../server/embedded-postgres.ts";
import { withLock } from "../../server/process/process-lock.ts";
import { complaints } from "./complaints.ts";
import { report, say, seed } from "./figures.ts";
import type { Flow } from "./flow.ts";
import { flows, isCommit, isOfFlow } from "./flows.ts";
import { underLoad } from "./load.ts";
import { soon } from "./soon.ts";
import { world as startWorld } from "./world.ts";

/** A separate database server for the drill. It flushes its commits, and its users restart it. */
const dataDir = await mkdtemp(join(tmpdir(), "naksha-drill-database-"));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
await applyMigrations(postgres.url);
const pool = openDatabase(postgres.url, { max: 20, name: "drill" });
const stopTasks = await startTasks(pool, [], createLog("silent"), { work: false });
afterAll(async () => {
  await stopTasks();
  await pool.close();
  await postgres.stop();
  for (const folder of [postgres.folder, dataDir])
    await rm(folder, { recursive: true, force: true });
});
const { db } = pool;
const world = await startWorld({ db, url: postgres.url });
const figures: string[] = [];

/** Stops the drill's database server: SIGKILL like a crash, SIGINT in an orderly way. */
async function signal(how: "SIGKILL" | "SIGINT"): Promise<void> {
  const file = join(postgres.folder, "cluster/postmaster.pid");
  const pid = Number.parseInt(await readFile(file, "utf8"), 10);
  process.kill(pid, how);
}

function waitUntilUp(): Promise<void> {
  return soon(async () => {
    await db.execute(sql`select 1`);
    return (await world.admin.browser.get("/profile")).status === 200;
  });
}

test.each(flows)("$name survives a kill of the database at each COMMIT", async (flow) => {
  const wrong: string[] = [];
  let commits = 0;
  for (let isOver = false; !isOver;) {
    commits += 1;
    for (const fate of ["lost", "committed, but not answered"] as const) {
      const found = await killAtCommit(flow, commits, fate);
      if (found === null) isOver = true;
      else wrong.push(...found.map((sentence) => `COMMIT ${commits} ${fate}: ${sentence}`));
    }
  }
  figures.push(`${flow.name} ${commits - 1}`);
  report(flow.name, wrong);
  expect(wrong).toEqual([]);
});

async function killAtCommit(
  flow: Flow,
  number: number,
  fate: "lost" | "committed, but not answered",
) {
  const attempt = await flow.prepare(world);
  const { proxy } = world[flow.by];
  let isKilled = false;
  let commits = 0;
  proxy.watch(
    (asked) => (isOfFlow(flow, asked) && isCommit(asked) && ++commits === number ? fate : "pass"),
    () => {
      isKilled = true;
      void signal("SIGKILL").then(() => proxy.cut());
    },
  );
  const isConfirmed = await attempt.act().catch(() => false);
  proxy.watch(
    () => "pass",
    () => {},
  );
  if (!isKilled) return null;
  await waitUntilUp();
  const wrong = isConfirmed ? await attempt.wrong() : [];
  await attempt.again();
  return [...wrong, ...(await attempt.wrong())];
}

test("all flows at the same time survive three orderly restarts", async () => {
  const load = underLoad(world, flows);
  for (let turn = 0; turn < 3; turn += 1) {
    await sleep(5 * second);
    await signal("SIGINT");
    await waitUntilUp();
  }
  const { done, wrong } = await load.end();
  figures.push(`${done} done over 3 restarts`);
  expect(wrong).toEqual([]);
});

test("during a minute without the database, every page says so quickly and recovers on its own", async () => {
  const wrong: string[] = [];
  let pageCount = 0;
  let slowest = 0;
  // Processes that want to restart the database wait for this lock.
  await withLock(join(postgres.folder, "start.lock"), async () => {
    await signal("SIGINT");
    const until = performance.now() + minute;
    while (performance.now() < until) {
      for (const path of ["/", "/jobs", "/profile", "/admin", "/services/resume-review"]) {
        const started = performance.now();
        const answer = await world.admin.browser.get(path);
        const text = await answer.text();
        pageCount += 1;
        slowest = Math.max(slowest, performance.now() - started);
        const isExpected = answer.status === 503 && text.includes("Our database is unavailable");
        // Cached pages may still be shown.
        if (answer.status !== 200 && !isExpected) wrong.push(`${path} answers ${answer.status}.`);
      }
      for (const path of ["/livez", "/readyz"]) {
        const { status } = await world.visitor.get(path);
        if (status !== 200) wrong.push(`${path} answers ${status}.`);
      }
      await sleep(second);
    }
  });
  const started = performance.now();
  await waitUntilUp();
  const recovery = (performance.now() - started) / second;
  figures.push(
    `${pageCount} pages while down, the slowest after ${(slowest / second).toFixed(1)} s`,
    `recovered after ${recovery.toFixed(1)} s`,
  );
  expect(slowest).toBeLessThan(5 * second);
  expect(wrong).toEqual([]);
});

test("all flows at the same time survive cut connections", async () => {
  const load = underLoad(world, flows);
  let cuts = 0;
  while (cuts < 300) {
    await sleep(50);
    const { rows } = await db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'naksha%' and usename = current_user order by random() limit 1`);
    cuts += rows.length;
  }
  const { done, wrong } = await load.end();
  figures.push(`${done} done over ${cuts} cuts`);
  expect(wrong).toEqual([]);
});

test("finally, nothing is lost or duplicated, and neither process has restarted", async () => {
  expect(await complaints(world)).toEqual([]);
  expect([world.web.lives(), world.worker.lives()]).toEqual([1, 1]);
  say("database", [`COMMITs: ${figures.join(", ")}`, `seed ${seed}`]);
});

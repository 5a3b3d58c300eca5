import type { ChildProcess } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lt, sql } from "drizzle-orm";
import { getRevenue } from "../../app/admin/revenue.server.ts";
import type { Actor } from "../../app/accounts/actor.server.ts";
import { openSession, getSessionCookieName } from "../../app/accounts/session.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { minute, now } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { auditEvents } from "../../app/platform/tables.server.ts";
import { queueTask } from "../../app/platform/tasks.server.ts";
import { testConfig } from "../support/product/config.ts";
import { type Asked, databaseProxy, type Fate } from "../support/servers/database-proxy.ts";
import type { TestDatabase } from "../support/product/database.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { mailServer } from "../support/servers/mail-servers.ts";
import { end, type Env, start } from "../support/product/own-product.ts";
import { deleteDemoMails } from "../support/rows/mailbox.ts";
import { person } from "../support/rows/people.ts";
import { visitor, type Visitor } from "../support/requests/visitor.ts";
import { soon } from "./soon.ts";
import { whenFileEnds } from "../support/product/when-file-ends.ts";

/** A person with an account, and their signed-in browser. */
export type Person = { actor: Actor; browser: Visitor };

/**
 * Starts the built product as two processes, one for requests and one for tasks, with a mail server. Each process
 * has its own proxy to PostgreSQL. All of them run until the tests end.
 *
 * @param settings additional environment variables for both processes
 */
export async function world({ db, url }: TestDatabase, settings: Env = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-drill-"));
  const port = await freePorts(5);
  const config = testConfig({ PORT: String(port) });
  let isMailRefused = false;
  const mail = await mailServer({
    answer: () => (isMailRefused ? { code: 450, words: "Not now" } : null),
    until: whenFileEnds,
  });
  const shared = {
    ORIGIN: config.origin,
    PAYU_STAND_IN_PORT: String(port + 3),
    DATA_DIR: dataDir,
    SMTP_URL: mail.url,
    RATE_LIMITS: "off",
    ...settings,
  };
  const web = await createMember(url, { ...shared, ROLE: "web", PORT: String(port) });
  const worker = await createMember(url, { ...shared, ROLE: "worker", PORT: String(port + 1) });
  // The PayU stand-in runs in the worker, so it survives kills of the web process.
  await Promise.all([web.start(), worker.start()]);
  await deleteDemoMails(db);
  whenFileEnds(async () => {
    await Promise.all([web.close(), worker.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  async function createPerson(name: string, roles?: Parameters<typeof person>[2]): Promise<Person> {
    const actor = await person(db, name, roles);
    const { token } = await openSession(db, actor.id);
    const cookie = `${getSessionCookieName(config)}=${token}`;
    return { actor, browser: visitor(config.origin, cookie) };
  }

  /** Makes everything due that waits for time: work of a dead worker, and checks of orders and refunds. */
  async function passTime(): Promise<void> {
    const before = worker.startedAt();
    await db
      .update(mails)
      .set({ leasedUntil: sql`now()` })
      .where(lt(mails.leasedUntil, new Date(before.getTime() + minute)));
    await db.execute(sql`update pgboss.job set started_on = started_on - interval '20 minutes'
      where state = 'active' and started_on < ${before.toISOString()}`);
    // Retries are due now.
    await db.execute(sql`update pgboss.job set start_after = now() where state = 'retry'`);
    // Three days ago, so that they are due even if the clock is set back.
    await db.execute(sql`update orders set next_check_at = now() - interval '3 days'
      where next_check_at is not null`);
    await db.execute(sql`update refunds set next_check_at = now() - interval '3 days'
      where next_check_at is not null`);
    for (const name of ["check-orders", "send-refunds"]) await queueTask(db, { name }, {});
  }

  const admin = await createPerson("Gita Menon", { roles: ["god_admin"] });
  const { current, previous } = await getRevenue(db, admin.actor, now());

  return {
    db,
    config,
    dataDir,
    web,
    worker,
    /** The ids of the demo data. */
    before: await idsOf(db),
    /** The emails that the mail server accepted, unparsed. */
    received: mail.received,
    /** Switches temporary refusals of the mail server on or off. */
    refuseMail(value: boolean): void {
      isMailRefused = value;
    },
    createPerson,
    admin,
    /** In paise, for this month and the previous one. */
    revenueBefore: current + previous,
    visitor: visitor(config.origin),

    passTime,

    /** Waits until the condition is true, and lets time pass. */
    async inTime(isTrue: () => Promise<boolean>): Promise<void> {
      let turn = 0;
      await soon(async () => {
        if (turn++ % 50 === 0) await passTime();
        return isTrue();
      });
    },
  };
}

async function idsOf(db: Database): Promise<Set<string>> {
  const rows = [
    ...(await db.select({ id: orders.orderId }).from(orders)),
    ...(await db.select({ id: mails.id }).from(mails)),
    ...(await db.select({ id: auditEvents.id }).from(auditEvents)),
  ];
  return new Set(rows.map(({ id }) => id));
}

export type World = Awaited<ReturnType<typeof world>>;

/** Creates a process of the product that can be killed and restarted. */
async function createMember(databaseUrl: string, env: Env) {
  const proxy = await databaseProxy(databaseUrl);
  const bugs: string[] = [];
  let running: Awaited<ReturnType<typeof start>> | null = null;
  let lives = 0;
  let startedAt = now();
  let slowestStart = 0;

  async function startProcess(): Promise<void> {
    lives += 1;
    startedAt = now();
    const before = performance.now();
    running = await start({ ...env, DATABASE_URL: proxy.url });
    slowestStart = Math.max(slowestStart, performance.now() - before);
  }

  /** Waits until the process has ended, and cuts its connections. */
  async function waitForEnd(): Promise<void> {
    const { child, printed } = running!;
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => child.once("exit", resolve));
    bugs.push(...printed().split("\n").filter(isBug));
    running = null;
    proxy.cut();
  }

  return {
    proxy,
    /** Lists unexpected log lines of all runs. */
    bugs: () => [...bugs, ...(running?.printed() ?? "").split("\n").filter(isBug)],
    /** The number of starts. */
    lives: () => lives,
    /** The time of the latest start. */
    startedAt: () => startedAt,
    /** The longest time until it answered, in milliseconds. */
    slowestStart: () => slowestStart,
    start: startProcess,

    /** Kills the process. @returns its child processes that still run after five seconds */
    async kill(): Promise<number[]> {
      const children = await childrenOf(running!.child);
      running!.child.kill("SIGKILL");
      await waitForEnd();
      return survivors(children);
    },

    /** Kills the process at the first statement that the function does not let pass. */
    killAt(decide: (asked: Asked) => Fate) {
      const victim = running!.child;
      const death = new Promise<void>((resolve) => victim.once("exit", () => resolve()));
      proxy.watch(decide, () => victim.kill("SIGKILL"));
      return {
        /** Returns true once the statement was reached. */
        isKilled: () => victim.killed,
        death,
        /** Stops watching. @returns true if the process was killed, after it has ended */
        async settle(): Promise<boolean> {
          proxy.watch(
            () => "pass",
            () => {},
          );
          if (!victim.killed) return false;
          await waitForEnd();
          return true;
        },
      };
    },

    async close(): Promise<void> {
      if (running) await end(running.child, "SIGTERM");
      proxy.close();
    },
  };
}

/** Checks for an unexpected error. An email that waits after a lost record or a refusal by the drill is expected. */
function isBug(line: string): boolean {
  return /"level":[56]0/.test(line) && !/another process is sending it|450 Not now/.test(line);
}

/** Waits until the child processes of a killed process end. @returns those that still run */
async function survivors(children: number[]): Promise<number[]> {
  let alive = children;
  for (let turn = 0; turn < 50 && alive.length > 0; turn += 1) {
    const states = await Promise.all(alive.map(isAlive));
    alive = alive.filter((_, index) => states[index]);
    if (alive.length > 0) await sleep(100);
  }
  return alive;
}

/** Lists the child processes; empty on systems without /proc. */
async function childrenOf({ pid }: ChildProcess): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    if (Number(/\) \S (\d+)/.exec(stat)?.[1]) === pid) found.push(Number(name));
  }
  return found;
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat !== null && !/\) Z /.test(stat);
}

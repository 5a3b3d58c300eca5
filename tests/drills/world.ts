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

/** A person with an account, and the browser in which they are signed in. */
export type Somebody = { actor: Actor; browser: Visitor };

/**
 * Starts the built product as two processes, one for requests and one for tasks, each over its own proxy to one
 * PostgreSQL, with a mail server; until all tests are done.
 *
 * @param settings beside those that all of them have
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
  const web = await member(url, { ...shared, ROLE: "web", PORT: String(port) });
  const worker = await member(url, { ...shared, ROLE: "worker", PORT: String(port + 1) });
  // The worker has the provider's stand-in, which outlives what happens to the other.
  await Promise.all([web.start(), worker.start()]);
  await deleteDemoMails(db);
  whenFileEnds(async () => {
    await Promise.all([web.close(), worker.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  async function somebody(name: string, roles?: Parameters<typeof person>[2]): Promise<Somebody> {
    const actor = await person(db, name, roles);
    const { token } = await openSession(db, actor.id);
    const cookie = `${getSessionCookieName(config)}=${token}`;
    return { actor, browser: visitor(config.origin, cookie) };
  }

  /** Moves time on for the work of a dead worker, and for orders and refunds to be checked. */
  async function passTime(): Promise<void> {
    const before = worker.startedAt();
    await db
      .update(mails)
      .set({ leasedUntil: sql`now()` })
      .where(lt(mails.leasedUntil, new Date(before.getTime() + minute)));
    await db.execute(sql`update pgboss.job set started_on = started_on - interval '20 minutes'
      where state = 'active' and started_on < ${before.toISOString()}`);
    // Makes retries due.
    await db.execute(sql`update pgboss.job set start_after = now() where state = 'retry'`);
    // Also by a clock that is set back.
    await db.execute(sql`update orders set next_check_at = now() - interval '3 days'
      where next_check_at is not null`);
    await db.execute(sql`update refunds set next_check_at = now() - interval '3 days'
      where next_check_at is not null`);
    for (const name of ["check-orders", "send-refunds"]) await queueTask(db, { name }, {});
  }

  const admin = await somebody("Gita Menon", { roles: ["god_admin"] });
  const { current, previous } = await getRevenue(db, admin.actor, now());

  return {
    db,
    config,
    dataDir,
    web,
    worker,
    /** The ids of what is the demonstration's. */
    before: await idsOf(db),
    /** The mails that the mail server took, as they came. */
    received: mail.received,
    /** Switches "not now" answers of the mail server on or off. */
    refuseMail(value: boolean): void {
      isMailRefused = value;
    },
    somebody,
    admin,
    /** In paise, of this month and the one before. */
    revenueBefore: current + previous,
    visitor: visitor(config.origin),

    passTime,

    /** Waits, while time passes, until it is so. */
    async inTime(isSo: () => Promise<boolean>): Promise<void> {
      let turn = 0;
      await soon(async () => {
        if (turn++ % 50 === 0) await passTime();
        return isSo();
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

/** One process of the product, which may be killed and started again. */
async function member(databaseUrl: string, env: Env) {
  const proxy = await databaseProxy(databaseUrl);
  const bugs: string[] = [];
  let running: Awaited<ReturnType<typeof start>> | null = null;
  let lives = 0;
  let startedAt = now();
  let slowestStart = 0;

  async function startIt(): Promise<void> {
    lives += 1;
    startedAt = now();
    const begun = performance.now();
    running = await start({ ...env, DATABASE_URL: proxy.url });
    slowestStart = Math.max(slowestStart, performance.now() - begun);
  }

  /** @returns once it is dead, with everything that it had begun. */
  async function ended(): Promise<void> {
    const { child, printed } = running!;
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => child.once("exit", resolve));
    bugs.push(...printed().split("\n").filter(isBug));
    running = null;
    proxy.cut();
  }

  return {
    proxy,
    /** Lists log lines of all its runs that should never appear. */
    bugs: () => [...bugs, ...(running?.printed() ?? "").split("\n").filter(isBug)],
    /** The number of its starts. */
    lives: () => lives,
    /** When its present life began. */
    startedAt: () => startedAt,
    /** In milliseconds, until it answered. */
    slowestStart: () => slowestStart,
    start: startIt,

    /** Kills it now. @returns the processes that it leaves behind after five seconds. */
    async kill(): Promise<number[]> {
      const children = await childrenOf(running!.child);
      running!.child.kill("SIGKILL");
      await ended();
      return survivors(children);
    },

    /** Kills it at the first statement that the function does not let pass. */
    killAt(decide: (asked: Asked) => Fate) {
      const victim = running!.child;
      const death = new Promise<void>((resolve) => victim.once("exit", () => resolve()));
      proxy.watch(decide, () => victim.kill("SIGKILL"));
      return {
        /** Checks whether that statement was reached. */
        isKilled: () => victim.killed,
        death,
        /** @returns whether it was killed; if so, it is cleared away, else it is not killed any more. */
        async settle(): Promise<boolean> {
          proxy.watch(
            () => "pass",
            () => {},
          );
          if (!victim.killed) return false;
          await ended();
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

/** A mail that waits, since its sending was not recorded or the drill's mail server refused it, is as it has to be. */
function isBug(line: string): boolean {
  return /"level":[56]0/.test(line) && !/another process is sending it|450 Not now/.test(line);
}

/** Waits until the child processes of a killed process notice and end. */
async function survivors(children: number[]): Promise<number[]> {
  let alive = children;
  for (let turn = 0; turn < 50 && alive.length > 0; turn += 1) {
    const states = await Promise.all(alive.map(isAlive));
    alive = alive.filter((_, index) => states[index]);
    if (alive.length > 0) await sleep(100);
  }
  return alive;
}

/** Empty where the system does not tell. */
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

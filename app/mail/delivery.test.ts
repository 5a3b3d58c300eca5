import { type ChildProcess, spawn } from "node:child_process";
import { createElement } from "react";
import { isNull, sql } from "drizzle-orm";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { mailServer } from "../../tests/support/servers/mail-servers.ts";
import { minute, second } from "../platform/clock.ts";
import { queueMail } from "./deliver-mail.server.ts";
import { mails } from "./tables.server.ts";

// Separate processes deliver to real mail servers, as in production.
const { db, url: databaseUrl } = await testDatabase();

afterEach(async () => {
  await db.delete(mails);
});

test("twenty mails go out behind one that the server holds, and no transaction waits for it", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let hold = () => {};
  const isHeld = new Promise<void>((resolve) => (hold = resolve));
  const { url, received } = await mailServer({
    taking: async (mail) => {
      if (!mail.includes("To: slow@example.com")) return;
      hold();
      await held;
    },
  });
  await queue("slow@example.com");
  for (let index = 0; index < 20; index++) await queue(`reader.${index}@example.com`);
  worker(url);
  await isHeld;
  // Well below the half minute that a slow one may take.
  await sentBut(1, 15 * second);
  expect(received).toHaveLength(20);
  expect(await openTransactions()).toBe(0);
  release();
  await sentBut(0);
});

test("two processes at once send every mail once", async () => {
  const { url, received } = await mailServer();
  worker(url);
  worker(url);
  for (let index = 0; index < 30; index++) await queue(`reader.${index}@example.com`);
  await sentBut(0);
  const messageIds = received.map((mail) => /^Message-ID: (.+)$/m.exec(mail)![1]);
  expect(messageIds).toHaveLength(30);
  expect(new Set(messageIds).size).toBe(30);
});

test("a mail under way when its process is killed is sent by another a minute later, not sooner", async () => {
  let deaf = true;
  let taken = () => {};
  const underWay = new Promise<void>((resolve) => (taken = resolve));
  const { url, received } = await mailServer({
    taking: async () => {
      taken();
      if (deaf) await new Promise(() => {});
    },
  });
  await queue("asha@example.com");
  const killed = worker(url);
  await underWay;
  killed.kill("SIGKILL");
  deaf = false;
  const [mail] = await db.select().from(mails);
  expect(mail!.leasedUntil!.getTime() - Date.now()).toBeGreaterThan(50 * second);

  worker(url);
  await letPass(50);
  expect(await taskState()).toBe("active");
  await letPass(15);
  await sentBut(0);
  expect(received).toHaveLength(1);
});

async function queue(to: string): Promise<void> {
  const body = createElement("p", null, "Hello");
  await db.transaction((tx) => queueMail(tx, { cause: `test:${to}`, to, subject: "Hello", body }));
}

/** A process that delivers mail, ended with the test. */
function worker(smtpUrl: string): ChildProcess {
  const args = ["tests/support/product/mail-worker.ts", databaseUrl, smtpUrl];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Waits until only so many mails are left. */
async function sentBut(left: number, timeout = minute): Promise<void> {
  const unsent = () => db.$count(mails, isNull(mails.sentAt));
  await vi.waitFor(async () => expect(await unsent()).toBe(left), { timeout, interval: 200 });
}

async function openTransactions(): Promise<number> {
  const { rows } = await db.execute<{ open: number }>(
    sql`select count(*)::int as open from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`,
  );
  return rows[0]!.open;
}

/** Moves dates back, as if this many seconds had passed. */
async function letPass(seconds: number): Promise<void> {
  const gone = sql`${seconds} * interval '1 second'`;
  await db.execute(sql`update mails set leased_until = leased_until - ${gone}`);
  await db.execute(
    sql`update pgboss.job set started_on = started_on - ${gone} where state = 'active'`,
  );
}

async function taskState(): Promise<string | undefined> {
  const { rows } = await db.execute<{ state: string }>(
    sql`select state from pgboss.job where name = 'deliver-mail' order by created_on desc limit 1`,
  );
  return rows[0]?.state;
}

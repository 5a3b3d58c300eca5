import { type ChildProcess, spawn } from "node:child_process";
import { createElement } from "react";
import { isNull, sql } from "drizzle-orm";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { mailServer } from "../../tests/support/servers/mail-servers.ts";
import { minute, now } from "../platform/clock.ts";
import { queueMail } from "./deliver-mail.server.ts";
import { mails } from "./tables.server.ts";

// Separate processes deliver to real mail servers, as in production.
const { db, url: databaseUrl } = await testDatabase();

afterEach(async () => {
  await db.delete(mails);
});

// Covered by "two processes send every email once".
test("one slow email delays neither twenty others nor any transaction @slow", async () => {
  const slow = Promise.withResolvers<void>();
  const slowStarted = Promise.withResolvers<void>();
  const { url, received } = await mailServer({
    taking: async (mail) => {
      if (!mail.includes("To: slow@example.com")) return;
      slowStarted.resolve();
      await slow.promise;
    },
  });
  await queue("slow@example.com");
  for (let index = 0; index < 20; index++) await queue(`reader.${index}@example.com`);
  startWorker(url);
  await slowStarted.promise;
  await waitForUnsent(1);
  expect(received).toHaveLength(20);
  // The slow one is still on its first try.
  const [late] = await db.select().from(mails).where(isNull(mails.sentAt));
  expect(late).toMatchObject({ recipient: "slow@example.com", attempts: 0 });
  expect(await countOpenTransactions()).toBe(0);
  slow.resolve();
  await waitForUnsent(0);
});

test("two processes send every email once", async () => {
  const { url, received } = await mailServer();
  startWorker(url);
  startWorker(url);
  for (let index = 0; index < 30; index++) await queue(`reader.${index}@example.com`);
  await waitForUnsent(0);
  const messageIds = received.map((mail) => /^Message-ID: (.+)$/m.exec(mail)![1]);
  expect(messageIds).toHaveLength(30);
  expect(new Set(messageIds).size).toBe(30);
});

// Covered by "two processes send every email once".
test("after a process is killed while sending an email, another sends it a minute later @slow", async () => {
  let isHanging = true;
  const sending = Promise.withResolvers<void>();
  const { url, received } = await mailServer({
    taking: async () => {
      sending.resolve();
      if (isHanging) await new Promise(() => {});
    },
  });
  await queue("asha@example.com");
  const startedAt = now();
  const killed = startWorker(url);
  await sending.promise;
  killed.kill("SIGKILL");
  isHanging = false;
  const [mail] = await db.select().from(mails);
  expect(mail!.leasedUntil!.getTime()).toBeGreaterThanOrEqual(startedAt.getTime() + minute);

  startWorker(url);
  await advance(65);
  await waitForUnsent(0);
  expect(received).toHaveLength(1);
});

async function queue(to: string): Promise<void> {
  const body = createElement("p", null, "Hello");
  await db.transaction((tx) => queueMail(tx, { cause: `test:${to}`, to, subject: "Hello", body }));
}

/** Starts a process that delivers email until the test ends. */
function startWorker(smtpUrl: string): ChildProcess {
  const args = ["tests/support/product/mail-worker.ts", databaseUrl, smtpUrl];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Waits until only this many emails are unsent. */
async function waitForUnsent(expected: number): Promise<void> {
  await expect.poll(() => db.$count(mails, isNull(mails.sentAt))).toBe(expected);
}

async function countOpenTransactions(): Promise<number> {
  const { rows } = await db.execute<{ open: number }>(
    sql`select count(*)::int as open from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`,
  );
  return rows[0]!.open;
}

/** Moves stored times back, as if this many seconds had passed. */
async function advance(seconds: number): Promise<void> {
  const elapsed = sql`${seconds} * interval '1 second'`;
  await db.execute(sql`update mails set leased_until = leased_until - ${elapsed}`);
  await db.execute(
    sql`update pgboss.job set started_on = started_on - ${elapsed} where state = 'active'`,
  );
}

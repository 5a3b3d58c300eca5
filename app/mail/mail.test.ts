import { createElement } from "react";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { mailServer } from "../../tests/support/servers/mail-servers.ts";
import { runTasks } from "../../tests/support/product/tasks.ts";
import { day, minute, now } from "../platform/clock.ts";
import { createLog } from "../platform/log.server.ts";
import { cancelQueuedMail, retryMails } from "./unsent-mails.server.ts";
import { createDeliverMailTask, queueMail } from "./deliver-mail.server.ts";
import { mails } from "./tables.server.ts";
import { createMailTransport } from "./transport.server.ts";

const { db } = await testDatabase();
const log = createLog("silent");

test("an email is sent once by SMTP as text and HTML, then its text is deleted", async () => {
  const { send, received } = await delivery();
  const id = await queued("one", "नमस्ते, a link: https://example.com/?token_hash=secret", {
    headers: { "List-Id": "<job-alerts.naksha.example>" },
  });
  const both = await Promise.allSettled([send(id), send(id)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await send(id);
  expect(received).toHaveLength(1);
  expect(received[0]).toContain(`Message-ID: <${id}@naksha.example>`);
  expect(received[0]).toContain("To: asha@example.com");
  expect(received[0]).toContain("List-ID: <job-alerts.naksha.example>");
  expect(received[0]).toContain("multipart/alternative");
  const mail = await mailOf(id);
  expect(mail).toMatchObject({ html: "", text: "", headers: null, attempts: 0, lastError: null });
  expect(mail.sentAt).not.toBeNull();
});

test("an email that is being sent can't be discarded, even when our clock is wrong", async () => {
  const id = await queued("leaving", "Hello");
  await db
    .update(mails)
    .set({ leasedUntil: sql`now() + interval '1 minute'` })
    .where(eq(mails.id, id));
  vi.useFakeTimers({ toFake: ["Date"], now: now().getTime() + day });
  onTestFinished(() => void vi.useRealTimers());
  expect(await cancelQueuedMail(db, "operator", id)).toBe(false);
  expect(await retryMails(db, "operator", id)).toBe(0);
  await db.update(mails).set({ leasedUntil: null }).where(eq(mails.id, id));
  expect(await cancelQueuedMail(db, "operator", id)).toBe(true);
});

test("an email to a busy server is retried with the same Message-ID", async () => {
  let busy = true;
  const { send, received } = await delivery({
    answer: () => (busy ? { code: 450, words: "Mailbox busy" } : null),
  });
  const id = await queued("two", "Hello");
  await expect(send(id)).rejects.toThrow("Mailbox busy");
  const waiting = await mailOf(id);
  expect(waiting).toMatchObject({ sentAt: null, givenUpAt: null, leasedUntil: null, attempts: 1 });
  expect(waiting.text).toContain("Hello");
  busy = false;
  await send(id);
  expect(received).toHaveLength(1);
  expect(received[0]).toContain(`Message-ID: <${id}@naksha.example>`);
});

test("an email that the server rejects permanently isn't retried, and stays in the list", async () => {
  const { send, received } = await delivery({
    answer: (address) => ({ code: 550, words: `<${address}> is unknown` }),
  });
  const id = await queued("refused", "Hello");
  await send(id);
  const mail = await mailOf(id);
  expect(mail).toMatchObject({ sentAt: null, attempts: 1, leasedUntil: null });
  expect(mail.givenUpAt).not.toBeNull();
  expect(mail.lastError).toContain("550 <(address)> is unknown");
  await send(id);
  expect((await mailOf(id)).attempts).toBe(1);
  expect(received).toEqual([]);
});

test("an email to a busy server is given up after a day and twelve attempts", async () => {
  const { send } = await delivery({ answer: () => ({ code: 450, words: "Busy" }) });
  const id = await queued("old", "Hello");
  const createdAt = new Date(now().getTime() - day - minute);
  await db.update(mails).set({ createdAt }).where(eq(mails.id, id));
  // The clock has jumped, or no worker ran for a day.
  await expect(send(id)).rejects.toThrow("Busy");
  expect((await mailOf(id)).givenUpAt).toBeNull();
  await db.update(mails).set({ attempts: 11 }).where(eq(mails.id, id));
  await send(id);
  expect((await mailOf(id)).givenUpAt).not.toBeNull();
});

test("an expired lease ends even when our clock was set back", async () => {
  const { send, received } = await delivery();
  const id = await queued("set back", "Hello");
  await db
    .update(mails)
    .set({ leasedUntil: sql`now() - interval '1 second'` })
    .where(eq(mails.id, id));
  vi.setSystemTime(now().getTime() - day);
  await send(id).finally(() => vi.useRealTimers());
  expect(received).toHaveLength(1);
});

test("an email that another process leased is sent only after the lease expires", async () => {
  const { send, received } = await delivery();
  const id = await queued("left", "Hello");
  const leasedUntil = new Date(now().getTime() + minute);
  await db.update(mails).set({ leasedUntil }).where(eq(mails.id, id));
  await expect(send(id)).rejects.toThrow("left: another process is sending it");
  expect(received).toEqual([]);
  await db
    .update(mails)
    .set({ leasedUntil: new Date(now().getTime() - 1) })
    .where(eq(mails.id, id));
  await send(id);
  expect(received).toHaveLength(1);
});

test("a cause that is queued several times together creates one email", async () => {
  await Promise.all([queued("three", "Hello"), queued("three", "Hello"), queued("three", "Hello")]);
  expect(await db.select().from(mails).where(eq(mails.cause, "three"))).toHaveLength(1);
});

test("a failed transaction leaves no email", async () => {
  const rolledBack = db.transaction(async (tx) => {
    await queueMail(tx, {
      cause: "four",
      to: "asha@example.com",
      subject: "Hi",
      body: createElement("p", null, "x"),
    });
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  expect(await db.select().from(mails).where(eq(mails.cause, "four"))).toHaveLength(0);
});

test("an email in the demo inbox keeps its text", async () => {
  await runTasks(db);
  const id = await queued("five", "Stay");
  await runTasks(db);
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  expect(mail?.sentAt).not.toBeNull();
  expect(mail?.text).toContain("Stay");
});

/** Starts a mail server and a sender for it. */
async function delivery(behaviour: Parameters<typeof mailServer>[0] = {}) {
  const { url, received } = await mailServer(behaviour);
  const transport = createMailTransport({ smtpUrl: url, mailFrom: "Naksha <hello@example.com>" });
  onTestFinished(() => transport.close());
  const task = createDeliverMailTask(transport, "naksha.example");
  return { received, send: (mailId: string) => task.run({ mailId }, { db, log }) };
}

async function mailOf(id: string) {
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  return mail!;
}

async function queued(
  cause: string,
  content: string,
  more: { headers?: Record<string, string> } = {},
): Promise<string> {
  await db.transaction((tx) =>
    queueMail(tx, {
      ...more,
      cause,
      to: "asha@example.com",
      subject: "A subject",
      body: createElement("p", null, content),
    }),
  );
  const [mail] = await db.select({ id: mails.id }).from(mails).where(eq(mails.cause, cause));
  return mail!.id;
}

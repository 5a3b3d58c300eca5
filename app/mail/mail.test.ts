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

test("a mail goes out once by SMTP, in text and HTML, with a Message-ID of its own, and keeps no text here", async () => {
  const { send, received } = await delivery();
  const id = await queued("one", "नमस्ते, a link: https://example.com/?token_hash=secret");
  const both = await Promise.allSettled([send(id), send(id)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await send(id);
  expect(received).toHaveLength(1);
  expect(received[0]).toContain(`Message-ID: <${id}@naksha.example>`);
  expect(received[0]).toContain("To: asha@example.com");
  expect(received[0]).toContain("multipart/alternative");
  const mail = await mailOf(id);
  expect(mail).toMatchObject({ html: "", text: "", attempts: 0, lastError: null });
  expect(mail.sentAt).not.toBeNull();
});

test("a mail that is being sent is not called off, however wrong our own clock is", async () => {
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

test("a server that is busy is tried again with the same Message-ID", async () => {
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

test("a mail that the server refuses for good is given up at once, and stays to be seen", async () => {
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

test("a mail that met with nothing but busy servers is given up after a day, and after many tries", async () => {
  const { send } = await delivery({ answer: () => ({ code: 450, words: "Busy" }) });
  const id = await queued("old", "Hello");
  const createdAt = new Date(now().getTime() - day - minute);
  await db.update(mails).set({ createdAt }).where(eq(mails.id, id));
  // The clock has jumped, or no mail was sent for a day.
  await expect(send(id)).rejects.toThrow("Busy");
  expect((await mailOf(id)).givenUpAt).toBeNull();
  await db.update(mails).set({ attempts: 11 }).where(eq(mails.id, id));
  await send(id);
  expect((await mailOf(id)).givenUpAt).not.toBeNull();
});

test("a mail whose sender died is free after a minute, also where the clock was set back", async () => {
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

test("a mail that somebody took up and never finished is free again after a minute", async () => {
  const { send, received } = await delivery();
  const id = await queued("left", "Hello");
  const leasedUntil = new Date(now().getTime() + minute);
  await db.update(mails).set({ leasedUntil }).where(eq(mails.id, id));
  await expect(send(id)).rejects.toThrow("left: being sent elsewhere");
  expect(received).toEqual([]);
  await db
    .update(mails)
    .set({ leasedUntil: new Date(now().getTime() - 1) })
    .where(eq(mails.id, id));
  await send(id);
  expect(received).toHaveLength(1);
});

test("one cause makes one mail, also when it is told twice at once", async () => {
  await Promise.all([queued("three", "Hello"), queued("three", "Hello"), queued("three", "Hello")]);
  expect(await db.select().from(mails).where(eq(mails.cause, "three"))).toHaveLength(1);
});

test("a mail of a transaction that fails was never written", async () => {
  const undone = db.transaction(async (tx) => {
    await queueMail(tx, {
      cause: "four",
      to: "asha@example.com",
      subject: "Hi",
      body: createElement("p", null, "x"),
    });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await db.select().from(mails).where(eq(mails.cause, "four"))).toHaveLength(0);
});

test("a captured mail stays readable", async () => {
  await runTasks(db);
  const id = await queued("five", "Stay");
  await runTasks(db);
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  expect(mail?.sentAt).not.toBeNull();
  expect(mail?.text).toContain("Stay");
});

/** Sends mails of the table to a mail server of the test's own. */
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

async function queued(cause: string, words: string): Promise<string> {
  await db.transaction((tx) =>
    queueMail(tx, {
      cause,
      to: "asha@example.com",
      subject: "A subject",
      body: createElement("p", null, words),
    }),
  );
  const [mail] = await db.select({ id: mails.id }).from(mails).where(eq(mails.cause, cause));
  return mail!.id;
}

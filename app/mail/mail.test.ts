import { createElement } from "react";
import { eq } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testConfig } from "../../tests/support/config.ts";
import { testDatabase } from "../../tests/support/database.ts";
import { runTasks } from "../../tests/support/tasks.ts";
import type { Database } from "../platform/database.server.ts";
import { createLog } from "../platform/log.server.ts";
import { deliverMail } from "./deliver-mail.server.ts";
import { queueMail } from "./queue-mail.server.ts";
import { mails } from "./tables.server.ts";
import { mailTransport } from "./transport.server.ts";

let db: Database;
let refusing = false;
let received: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo: (_address, _session, callback) => callback(refusing ? new Error("Mailbox busy") : null),
  onData(stream, _session, callback) {
    let text = "";
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    stream.on("end", () => {
      received.push(text);
      callback();
    });
  },
});
const log = createLog("silent");
let task: ReturnType<typeof deliverMail>;

beforeAll(async () => {
  ({ db } = await testDatabase());
  const port = await new Promise<number>((done) => {
    const listening = server.listen(0, "127.0.0.1", () => {
      const address = listening.address();
      done(typeof address === "object" && address ? address.port : 0);
    });
  });
  const config = testConfig({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Naksha <hello@example.com>",
  });
  task = deliverMail(mailTransport(config), "naksha.example");
});

afterAll(() => new Promise<void>((done) => server.close(done)));

beforeEach(() => {
  refusing = false;
  received = [];
});

test("a mail goes out once by SMTP, in text and HTML, with a Message-ID of its own, and keeps no text here", async () => {
  const id = await queued("one", "नमस्ते, a link: https://example.com/?token_hash=secret");
  await Promise.all([task.run({ mailId: id }, { db, log }), task.run({ mailId: id }, { db, log })]);
  await task.run({ mailId: id }, { db, log });
  expect(received).toHaveLength(1);
  expect(received[0]).toContain(`Message-ID: <${id}@naksha.example>`);
  expect(received[0]).toContain("To: asha@example.com");
  expect(received[0]).toContain("multipart/alternative");
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  expect(mail).toMatchObject({ html: "", text: "", attempts: 0, lastError: null });
  expect(mail?.sentAt).not.toBeNull();
});

test("a server that refuses is tried again with the same Message-ID", async () => {
  const id = await queued("two", "Hello");
  refusing = true;
  await expect(task.run({ mailId: id }, { db, log })).rejects.toThrow("Mailbox busy");
  const [waiting] = await db.select().from(mails).where(eq(mails.id, id));
  expect(waiting).toMatchObject({ sentAt: null, attempts: 1 });
  expect(waiting?.text).toContain("Hello");
  refusing = false;
  await task.run({ mailId: id }, { db, log });
  expect(received).toHaveLength(1);
  expect(received[0]).toContain(`Message-ID: <${id}@naksha.example>`);
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

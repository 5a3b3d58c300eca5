import { createElement } from "react";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { queueMail } from "../../app/mail/deliver-mail.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { createMailTransport } from "../../app/mail/transport.server.ts";
import { day, now } from "../../app/platform/clock.ts";
import { UsageError } from "./command.ts";
import { readCommand } from "./program.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { mailServer } from "../../tests/support/servers/mail-servers.ts";
import { answerTo, runCommand } from "../../tests/support/product/operator.ts";
import { runTasks, testTasks } from "../../tests/support/product/tasks.ts";

const { db } = await testDatabase();

/** Returns the transport that `mail test` needs to reach a server. */
function withTransport(smtpUrl: string) {
  const transport = createMailTransport({ smtpUrl, mailFrom: "Naksha <hello@example.com>" });
  onTestFinished(() => transport.close());
  return { transport };
}

async function queueHello(to: string, state: Partial<typeof mails.$inferInsert> = { attempts: 0 }) {
  const body = createElement("p", null, "Hello");
  await db.transaction((tx) => queueMail(tx, { cause: `for ${to}`, to, subject: "Hello", body }));
  const [mail] = await db.update(mails).set(state).where(eq(mails.recipient, to)).returning();
  return mail!;
}

test("a test email is sent immediately, and the server's answer is printed", async () => {
  const { url, received } = await mailServer();
  const printed = await answerTo(db, ["mail", "test", "asha@example.com"], withTransport(url));
  expect(printed.text).toMatch(/^The server accepted it: 250 /);
  expect(received[0]).toContain(
    "This is a test email from Naksha at http://localhost:3000. Email works.",
  );
  expect(await db.$count(mails)).toBe(0);
});

test("a refusal by the mail server is printed", async () => {
  const refusal = { code: 550, words: "No such person here" };
  const { url } = await mailServer({ answer: () => refusal });
  const printed = await answerTo(db, ["mail", "test", "asha@example.com"], withTransport(url));
  expect(printed).toMatchObject({
    failed: true,
    text: expect.stringContaining("No such person here"),
  });
});

// Covered by "--all retries every failed email".
test("waiting and failed email is listed, and one can be retried @slow", async () => {
  expect(await runCommand(db, ["mail", "queue"])).toBe("No email is waiting.");
  await queueHello("waiting@example.com");
  const failedMail = await queueHello("lost@example.com", {
    givenUpAt: now(),
    attempts: 3,
    lastError: "550 full",
    createdAt: new Date(now().getTime() - 2 * day),
  });
  expect(await runCommand(db, ["mail", "queue"])).toContain("waiting@example.com");
  const failed = await runCommand(db, ["mail", "queue", "--failed"]);
  expect(failed).toMatch(
    new RegExp(`^${failedMail.id}  .+  failed  3 attempts  lost@example\\.com  Hello  550 full$`),
  );

  // This consumes the queued tasks of both emails.
  const { url, received } = await mailServer();
  await runTasks(db, testTasks());
  expect(await runCommand(db, ["mail", "queue", "retry", failedMail.id])).toContain(
    "will retry 1 email",
  );
  const tasks = await runTasks(db, testTasks(testConfig({ SMTP_URL: url })));
  expect(tasks).toEqual(["deliver-mail"]);
  expect(received).toHaveLength(1);
  expect(await runCommand(db, ["mail", "queue", "--failed"])).toBe("No failed email.");
});

test("--all retries every failed email", async () => {
  await queueHello("first@example.com", { givenUpAt: now() });
  await queueHello("second@example.com", { givenUpAt: now() });
  const { data } = await answerTo(db, ["mail", "queue", "retry", "--all"]);
  expect(data).toEqual({ retried: 2 });
});

test("retry needs either an id or --all", async () => {
  const retry = (...args: string[]) => readCommand(["mail", "queue", "retry", ...args]);
  expect(() => retry()).toThrow(UsageError);
  expect(() => retry("x", "--all")).toThrow(UsageError);
  await expect(runCommand(db, ["mail", "queue", "retry", "x"])).rejects.toThrow(
    "No email with the id x is waiting",
  );
});

import { createElement } from "react";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { queueMail } from "../../app/mail/deliver-mail.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { createMailTransport } from "../../app/mail/transport.server.ts";
import { day, now } from "../../app/platform/clock.ts";
import { Misunderstood } from "./command.ts";
import { readCommand } from "./program.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { mailServer } from "../../tests/support/servers/mail-servers.ts";
import { answerTo, runCommand } from "../../tests/support/product/operator.ts";
import { runTasks, testTasks } from "../../tests/support/product/tasks.ts";

const { db } = await testDatabase();

/** The settings that `mail test` needs to reach a server. */
function reaching(smtpUrl: string) {
  const transport = createMailTransport({ smtpUrl, mailFrom: "Naksha <hello@example.com>" });
  onTestFinished(() => transport.close());
  return { transport };
}

async function written(to: string, state: Partial<typeof mails.$inferInsert> = { attempts: 0 }) {
  const body = createElement("p", null, "Hello");
  await db.transaction((tx) => queueMail(tx, { cause: `for ${to}`, to, subject: "Hello", body }));
  const [mail] = await db.update(mails).set(state).where(eq(mails.recipient, to)).returning();
  return mail!;
}

test("a test mail leaves at once, and the server's answer is told", async () => {
  const { url, received } = await mailServer();
  const said = await answerTo(db, ["mail", "test", "asha@example.com"], reaching(url));
  expect(said.text).toMatch(/^The server took it: 250 /);
  expect(received[0]).toContain("This is a test of Naksha at http://localhost:3000. Mail arrives.");
  expect(await db.$count(mails)).toBe(0);
});

test("a server that refuses a test mail is quoted", async () => {
  const refusal = { code: 550, words: "No such person here" };
  const { url } = await mailServer({ answer: () => refusal });
  const said = await answerTo(db, ["mail", "test", "asha@example.com"], reaching(url));
  expect(said).toMatchObject({
    failed: true,
    text: expect.stringContaining("No such person here"),
  });
});

test("what waits and what was given up is listed, and one of them is sent again", async () => {
  expect(await runCommand(db, ["mail", "queue"])).toBe("No mail waits.");
  await written("waiting@example.com");
  const lost = await written("lost@example.com", {
    givenUpAt: now(),
    attempts: 3,
    lastError: "550 full",
    createdAt: new Date(now().getTime() - 2 * day),
  });
  expect(await runCommand(db, ["mail", "queue"])).toContain("waiting@example.com");
  const failed = await runCommand(db, ["mail", "queue", "--failed"]);
  expect(failed).toMatch(
    new RegExp(`^${lost.id}  .+  given up  3 tries  lost@example\\.com  Hello  550 full$`),
  );

  // Both were taken up before, as far as the queue knows.
  const { url, received } = await mailServer();
  await runTasks(db, testTasks());
  expect(await runCommand(db, ["mail", "queue", "retry", lost.id])).toContain("1 mail is tried");
  const tasks = await runTasks(db, testTasks(testConfig({ SMTP_URL: url })));
  expect(tasks).toEqual(["deliver-mail"]);
  expect(received).toHaveLength(1);
  expect(await runCommand(db, ["mail", "queue", "--failed"])).toBe("No mail was given up.");
});

test("all that were given up are tried again at once", async () => {
  await written("first@example.com", { givenUpAt: now() });
  await written("second@example.com", { givenUpAt: now() });
  const { data } = await answerTo(db, ["mail", "queue", "retry", "--all"]);
  expect(data).toEqual({ retried: 2 });
});

test("what is to be tried again has to be said", async () => {
  const asked = (...args: string[]) => readCommand(["mail", "queue", "retry", ...args]);
  expect(() => asked()).toThrow(Misunderstood);
  expect(() => asked("x", "--all")).toThrow(Misunderstood);
  await expect(runCommand(db, ["mail", "queue", "retry", "x"])).rejects.toThrow("No mail x waits");
});

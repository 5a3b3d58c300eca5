import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { like } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { answerTo, runCommand } from "../../../tests/support/product/operator.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { ticket } from "../../../tests/support/rows/admin-things.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { people, person } from "../../../tests/support/rows/people.ts";
import { mails } from "../../mail/tables.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { closeOwnAccount } from "../closing/close-account.server.tsx";
import { parseBreachNotice, queueBreachMails } from "./breach-mails.server.tsx";

const { db } = await testDatabase();
const { asha, gita } = await people(db);
const folder = ownFolder();

const text = `Subject: Your data at Naksha

Hello {name},

On Nov 24, 2026, someone copied data.

- Choose a new password.
- Use it nowhere else.
`;

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const notice = file("notice.txt", text);
const breachMails = () => db.select().from(mails).where(like(mails.cause, "breach:%"));
const send = (incident: string, ...more: string[]) =>
  answerTo(db, ["notify-breach", notice, "--incident", incident, ...more]);

test("a dry run prints the email and counts people, and sends nothing", async () => {
  const { text: printed, data } = await send("dry", "--dry-run");
  expect(printed).toContain("Hello Asha Verma,");
  expect(printed).toContain("This would go to 8 people. 0 had it before.");
  expect(data).toMatchObject({ recipients: 8, earlier: 0, unknown: 0 });
  expect(await breachMails()).toEqual([]);
  expect(await db.$count(auditEvents)).toBe(0);
});

test("everyone gets one email, also people who only wrote to us, but no suspected spam", async () => {
  await ticket(db, gita, { name: "Nila", email: "nila@example.com" });
  await ticket(db, gita, { name: "Nila", email: "nila@example.com" });
  await ticket(db, gita, { email: "spam@example.com", isSuspected: true });
  await ticket(db, gita, { name: "Asha V.", email: asha.email });
  expect((await send("first")).data).toEqual({ recipients: 9, earlier: 0 });
  expect(await mailsTo(db, "spam@example.com")).toEqual([]);
  const [mail] = await mailsTo(db, "nila@example.com");
  expect(mail).toMatchObject({ subject: "Your data at Naksha" });
  expect(mail!.text).toContain("Hello Nila,");
  expect(mail!.text).toContain("- Choose a new password.\n- Use it nowhere else.");
  expect(await mailsTo(db, asha.email)).toHaveLength(1);
  expect(await db.select().from(auditEvents)).toMatchObject([
    { event: "breach.notify", actorName: "Operator", subjectId: "first" },
  ]);

  expect((await send("first")).data).toEqual({ recipients: 9, earlier: 9 });
  expect((await send("first", "--dry-run")).data).toMatchObject({ recipients: 9, earlier: 9 });
  expect(await breachMails()).toHaveLength(9);
  expect((await send("second")).data).toEqual({ recipients: 9, earlier: 0 });
});

test("a person whose closed account isn't purged yet gets it at their own address", async () => {
  const ravi = await person(db, "Ravi Closed");
  await closeOwnAccount(db, ravi, testConfig());
  const to = file("closed.txt", ravi.email);
  expect((await send("closed", "--to", to)).data).toEqual({ recipients: 1, earlier: 0 });
  const [mail] = await mailsTo(db, ravi.email);
  expect(mail!.text).toContain("Hello Ravi Closed,");
});

test("a run that was interrupted continues, and no address is left out", async () => {
  const names = Array.from({ length: 240 }, (_, index) => `crowd${index}@example.com`);
  for (const email of names) await ticket(db, gita, { email });
  const incident = { incident: "long", notice: parseBreachNotice(text), to: null };
  let batches = 0;
  const dying = new Proxy(db, {
    get: (target, name) => {
      if (name === "transaction" && batches++ > 0) throw new Error("The process was killed.");
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  await expect(queueBreachMails(dying, incident, testConfig())).rejects.toThrow("killed");
  expect(await queueBreachMails(db, incident, testConfig())).toEqual({
    recipients: 250,
    earlier: 100,
  });
  const sent = (await breachMails()).filter(({ cause }) => cause.startsWith("breach:long:"));
  expect(sent).toHaveLength(250);
  expect(new Set(sent.map(({ recipient }) => recipient)).size).toBe(250);
});

test("--to limits it to addresses, and says how many are unknown", async () => {
  const to = file("to.txt", `${asha.email.toUpperCase()}\n\nnobody@example.com\n`);
  const { text: printed, data } = await send("some", "--to", to, "--dry-run");
  expect(data).toMatchObject({ recipients: 1, unknown: 1 });
  expect(printed).toContain("1 of the addresses are not in the database.");
  expect((await send("some", "--to", to)).data).toEqual({ recipients: 1, earlier: 0 });
});

test.each([
  ["no subject", "Hello,\n\nSomething happened.", "The first line must be"],
  ["no text", "Subject: Your data", "There is no text"],
  ["a blank", "Subject: Your data\n\nOn [Nov 24, 2026], someone", "Fill in [Nov 24, 2026] first."],
])("a text with %s is refused", async (_, content, reason) => {
  const path = file("wrong.txt", content);
  await expect(
    runCommand(db, ["notify-breach", path, "--incident", "wrong", "--dry-run"]),
  ).rejects.toThrow(reason);
});

test("a name is inserted as it is", async () => {
  await ticket(db, gita, { name: "$& {name}", email: "odd@example.com" });
  const to = file("odd.txt", "odd@example.com");
  await send("names", "--to", to);
  const [mail] = await mailsTo(db, "odd@example.com");
  expect(mail!.text).toContain("Hello $& {name},");
});

import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ticket } from "../../../tests/support/rows/admin-things.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { mails } from "../../mail/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { listMessages } from "./list-messages.server.ts";
import { changeMessageState } from "./message-states.server.ts";
import { answerMessage, saveMessageNote } from "./messages.server.tsx";
import { getMessage } from "./read-message.server.ts";

const config = testConfig();
const { db, gita } = await testPeople();
const answer = (number: string, seen = 0) =>
  answerMessage(db, gita, { ticket: number, answer: "By tomorrow.\nAt noon.", seen }, config);

test("a reply has the ticket number in its subject and is saved with the message", async () => {
  const email = "answered@example.com";
  const number = await ticket(db, gita, { email });
  await answer(number);
  const [mail] = await mailsTo(db, email);
  expect(mail).toMatchObject({
    subject: `Re: [${number}] Your message to ${config.product.name}`,
    replyTo: config.product.supportEmail,
  });
  expect(mail?.text).toContain("By tomorrow.");
  const message = await getMessage(db, gita, number);
  expect(message.state).toBe("answered");
  expect(message.answers).toMatchObject([
    { authorName: "Gita Menon", answer: "By tomorrow.\nAt noon.", mail: "waiting" },
  ]);
});

test("the reply to a complaint holds its text, and the reply to another message doesn't", async () => {
  const message = "The remarks were about\nanother resume.";
  for (const kind of ["complaint", "question"] as const) {
    const email = `${kind}@example.com`;
    const number = await ticket(db, gita, { email, kind, message, subject: "Wrong resume" });
    await answer(number);
    const [mail] = await mailsTo(db, email);
    expect(mail!.text.includes("Your complaint, “Wrong resume”")).toBe(kind === "complaint");
    expect(mail!.text.includes(message)).toBe(kind === "complaint");
    expect(mail!.subject).not.toContain("Wrong resume");
  }
});

test("when two admins reply together, the second must read the first reply", async () => {
  const email = "twice@example.com";
  const number = await ticket(db, gita, { email });
  const answers = await Promise.allSettled([answer(number), answer(number)]);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await mailsTo(db, email)).toHaveLength(1);
  await answer(number, 1);
  expect(await mailsTo(db, email)).toHaveLength(2);
});

test("reopening a spam message moves it to the open messages", async () => {
  const email = "nospam@example.com";
  const number = await ticket(db, gita, { email, isSuspected: true });
  const find = async (list: "spam" | "open") =>
    (await listMessages(db, gita, { list, search: email, after: null })).rows.length;
  expect([await find("spam"), await find("open")]).toEqual([1, 0]);
  await changeMessageState(db, gita, { ticket: number, state: "open" });
  expect([await find("spam"), await find("open")]).toEqual([0, 1]);
});

test("a note that another admin just changed isn't overwritten", async () => {
  const number = await ticket(db, gita);
  await saveMessageNote(db, gita, { ticket: number, note: "Called her.", seen: "" });
  const late = saveMessageNote(db, gita, { ticket: number, note: "Nobody there.", seen: "" });
  await expect(late).rejects.toThrow("to: Called her.");
});

test.each(["ticket", "Verma", "found@example", "REVIEW"])(
  "a message is found by part of its %s",
  async (part) => {
    const number = await ticket(db, gita, { email: "found@example.com" });
    const search = part === "ticket" ? number.toLowerCase() : part;
    const { rows } = await listMessages(db, gita, { list: "all", search, after: null });
    expect(rows.map((row) => row.ticket)).toContain(number);
  },
);

test("a reply that couldn't be delivered is marked in the list", async () => {
  const email = "bounced@example.com";
  const number = await ticket(db, gita, { email });
  await answer(number);
  const isMarked = async () => {
    const query = { list: "answered", search: number, after: null } as const;
    return (await listMessages(db, gita, query)).rows[0]!.hasUndelivered;
  };
  expect(await isMarked()).toBe(false);
  const isReply = eq(mails.recipient, email);
  await db.update(mails).set({ givenUpAt: now() }).where(isReply);
  expect(await isMarked()).toBe(true);
  await db.update(mails).set({ sentAt: now(), givenUpAt: null }).where(isReply);
  expect(await isMarked()).toBe(false);
});

import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { ticket } from "../../../tests/support/rows/admin-things.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import { startClocks } from "../send-message.server.tsx";
import { addFollowUp } from "../follow/conversation.server.tsx";
import { addMonth } from "../rules.ts";
import { supportMessages } from "../tables.server.ts";
import { buildTicketPath } from "../ticket-links.server.ts";
import {
  closeAnsweredMessages,
  getMessageFigures,
  sendMessageWarnings,
} from "./deadlines.server.tsx";
import { listMessages } from "./list-messages.server.ts";
import { changeMessageState, claimMessage } from "./message-states.server.ts";
import { answerMessage } from "./messages.server.tsx";
import { getMessage } from "./read-message.server.ts";

const config = testConfig();
const { db, gita, meera } = await testPeople();
const secondAdmin = { ...meera, isGodAdmin: true };

beforeEach(() => db.execute(sql`delete from contact_messages; delete from mails`));

const ago = (age: number) => new Date(now().getTime() - age);
/** Creates a message of this age. */
const aged = (age: number, fields: Partial<typeof supportMessages.$inferInsert> = {}) =>
  ticket(db, gita, { createdAt: ago(age), ...startClocks(ago(age)), ...fields });
const warn = () => sendMessageWarnings(db, config);
const warned = async () => (await mailsTo(db, gita.email)).map(({ subject }) => subject);

test.each([
  ["Jan 31", "2027-01-31T10:00:00Z", "2027-02-28T10:00:00Z"],
  ["Jan 31 of a leap year", "2028-01-31T10:00:00Z", "2028-02-29T10:00:00Z"],
  ["Dec 15", "2026-12-15T23:59:00Z", "2027-01-15T23:59:00Z"],
  ["Aug 31", "2026-08-31T00:00:00Z", "2026-09-30T00:00:00Z"],
])("a month after %s", (_day, from, to) => {
  expect(addMonth(new Date(from))).toEqual(new Date(to));
});

test("admins get one email when a message is unread for 36 hours", async () => {
  await aged(36 * hour - minute);
  await warn();
  expect(await warned()).toEqual([]);
  const number = await aged(36 * hour + minute);
  await warn();
  await warn();
  expect(await warned()).toEqual(["A message is still unread"]);
  const [mail] = await mailsTo(db, gita.email);
  expect(mail!.text).toContain(number);
  expect(mail!.html).toContain(`${config.origin}/admin/messages/${number}`);
});

test("two processes send one email to each admin", async () => {
  await aged(40 * hour);
  await Promise.all([warn(), warn(), warn()]);
  expect(await warned()).toHaveLength(1);
});

test("one email names several messages, and counts those it doesn't list", async () => {
  for (let turn = 0; turn < 23; turn++) await aged(40 * hour + turn * minute);
  await warn();
  expect(await warned()).toEqual(["23 messages are still unread"]);
  expect((await mailsTo(db, gita.email))[0]!.text).toContain("And 3 more.");
});

test("a message that was taken over, closed or marked as spam causes no email", async () => {
  const taken = await aged(40 * hour);
  await claimMessage(db, gita, { ticket: taken, seenOwner: "" });
  const closed = await aged(40 * hour);
  await changeMessageState(db, gita, { ticket: closed, state: "closed" });
  await aged(40 * hour, { isSuspected: true });
  await warn();
  expect(await warned()).toEqual([]);
});

test("admins get an email when a message isn't settled after 25 days, answered or not", async () => {
  const read = { acknowledgedAt: ago(20 * day) };
  await aged(22 * day, read);
  await warn();
  expect(await warned()).toEqual([]);
  await aged(28 * day, read);
  await aged(28 * day, { ...read, state: "answered" });
  await warn();
  await warn();
  expect(await warned()).toEqual(["2 messages aren't settled yet"]);
});

test("a reply that gets no answer for 14 days closes the message", async () => {
  const [recent, old] = [await aged(20 * day), await aged(20 * day)];
  for (const number of [recent, old])
    await answerMessage(db, gita, { ticket: number, answer: "By tomorrow.", seen: 0 }, config);
  const setAnswered = (number: string, age: number) =>
    db.execute(sql`update contact_answers set at = ${ago(age).toISOString()} where message_id =
      (select id from contact_messages where ticket = ${number})`);
  await setAnswered(recent, 13 * day);
  await setAnswered(old, 14 * day + hour);
  await closeAnsweredMessages(db);
  expect((await getMessage(db, gita, recent)).state).toBe("answered");
  expect(await getMessage(db, gita, old)).toMatchObject({
    state: "closed",
    settledAt: expect.any(Date),
  });
});

test("the open list starts with the most urgent message", async () => {
  const fresh = await aged(hour);
  const overdue = await aged(3 * day);
  const read = await aged(29 * day, { acknowledgedAt: ago(28 * day) });
  const list = async (name: "open" | "overdue" | "mine") =>
    (await listMessages(db, gita, { list: name, search: "", after: null })).rows.map(
      (row) => row.ticket,
    );
  // A month after 29 days ago is 1 or 2 days away, and 48 hours after an hour ago is 47 hours away.
  expect((await list("open"))[0]).toBe(overdue);
  expect(new Set(await list("open"))).toEqual(new Set([overdue, read, fresh]));
  expect(await list("overdue")).toEqual([overdue]);
  await claimMessage(db, gita, { ticket: fresh, seenOwner: "" });
  expect(await list("mine")).toEqual([fresh]);
});

test("when two admins take over together, the second gets an error", async () => {
  const number = await aged(hour);
  const done = await Promise.allSettled([
    claimMessage(db, gita, { ticket: number, seenOwner: "" }),
    claimMessage(db, secondAdmin, { ticket: number, seenOwner: "" }),
  ]);
  const refused = done.filter((one) => one.status === "rejected");
  expect(refused.map(({ reason }) => String(reason))).toEqual([
    expect.stringContaining("Someone else has just taken over this message."),
  ]);
  const { ownerId } = await getMessage(db, gita, number);
  const next = ownerId === gita.id ? secondAdmin : gita;
  await claimMessage(db, next, { ticket: number, seenOwner: ownerId! });
  expect((await getMessage(db, gita, number)).ownerId).toBe(next.id);
});

test("figures count messages of 90 days whose deadline was met or has passed", async () => {
  await aged(hour);
  await aged(3 * day);
  await aged(3 * day, { acknowledgedAt: ago(2 * day) });
  await aged(40 * day, {
    acknowledgedAt: ago(39 * day),
    settledAt: ago(20 * day),
    state: "closed",
  });
  await aged(40 * day, { acknowledgedAt: ago(30 * day) });
  await aged(100 * day, { state: "closed", acknowledgedAt: ago(10 * day), settledAt: ago(day) });
  await aged(10 * day, { isSuspected: true });
  expect(await getMessageFigures(db, gita)).toMatchObject({
    acknowledged: { inTime: 2, total: 4 },
    settled: { inTime: 1, total: 2 },
  });
});

test("a message that was read or settled late stays late in the figures, however it is reopened", async () => {
  const late = { acknowledgedAt: ago(36 * day), state: "closed", settledAt: ago(2 * day) } as const;
  const numbers = [];
  for (let turn = 0; turn < 3; turn++) numbers.push(await aged(40 * day, late));
  const [byWriter, byAdmin, byReply] = numbers as [string, string, string];
  const token = buildTicketPath(config, byWriter, "mailed").split("/").at(-1)!;
  await addFollowUp(db, config, { token, text: "It is still broken.", seen: 0 });
  await changeMessageState(db, gita, { ticket: byAdmin, state: "open" });
  await answerMessage(db, gita, { ticket: byReply, answer: "We look again.", seen: 0 }, config);
  const figures = { acknowledged: { inTime: 0, total: 3 }, settled: { inTime: 0, total: 3 } };
  expect(await getMessageFigures(db, gita)).toMatchObject(figures);
  for (const number of numbers)
    await changeMessageState(db, gita, { ticket: number, state: "closed" });
  expect(await getMessageFigures(db, gita)).toMatchObject(figures);
});

test("without messages, the figures are zero", async () => {
  expect(await getMessageFigures(db, gita)).toEqual({
    acknowledged: { inTime: 0, total: 0 },
    settled: { inTime: 0, total: 0 },
    dueToday: 0,
  });
});

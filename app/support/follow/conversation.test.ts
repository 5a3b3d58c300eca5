import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { ticket } from "../../../tests/support/rows/admin-things.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { changeMessageState } from "../answer/message-states.server.ts";
import { answerMessage } from "../answer/messages.server.tsx";
import { getMessage } from "../answer/read-message.server.ts";
import { supportMessages } from "../tables.server.ts";
import { buildTicketPath, type LinkKind } from "../ticket-links.server.ts";
import {
  changeOwnMessageKind,
  findConversation,
  addFollowUp,
  listOwnMessages,
} from "./conversation.server.tsx";

const config = testConfig();
const { db, asha, ravi, gita } = await testPeople();

const tokenOf = (number: string, kind: LinkKind = "mailed") =>
  buildTicketPath(config, number, kind).slice("/support/".length);
const answer = (number: string, seen = 0, closes = false) =>
  answerMessage(db, gita, { ticket: number, answer: "By tomorrow.", seen, closes }, config);
const write = (number: string, seen: number) =>
  addFollowUp(db, config, { token: tokenOf(number), text: "Is it tomorrow yet?", seen });
const setMessage = (number: string, fields: Partial<typeof supportMessages.$inferInsert>) =>
  db.update(supportMessages).set(fields).where(eq(supportMessages.ticket, number));

test("a link shows the message, our replies and its dates", async () => {
  const number = await ticket(db, gita);
  await answer(number);
  expect(await findConversation(db, config, tokenOf(number))).toMatchObject({
    ticket: number,
    message: "When will it be done?",
    state: "answered",
    entries: [{ isFromWriter: false, text: "By tomorrow." }],
  });
});

test("a link that wasn't mailed hides our replies, but not the writer's own words", async () => {
  const number = await ticket(db, gita);
  await answer(number);
  await write(number, 1);
  const shown = await findConversation(db, config, tokenOf(number, "shown"));
  expect(shown!.entries.map(({ text }) => text)).toEqual([null, "Is it tomorrow yet?"]);
});

test("a changed link, one of another ticket and one of another installation show nothing", async () => {
  const [first, second] = [await ticket(db, gita), await ticket(db, gita)];
  const foreign = { ...config, secrets: ["another secret, which is long enough"] };
  const tokens = [
    first,
    `${first}-`,
    `${tokenOf(first)}A`,
    tokenOf(first).slice(0, -1),
    `${second}${tokenOf(first).slice(first.length)}`,
    buildTicketPath(foreign, first, "mailed").slice("/support/".length),
    tokenOf("T-2222-2222"),
    "",
    "none",
  ];
  for (const token of tokens) {
    expect(await findConversation(db, config, token), token).toBeNull();
    const late = addFollowUp(db, config, { token, text: "Hello?", seen: 0 });
    await expect(late, token).rejects.toThrow(/link isn't complete|No message has/);
  }
});

test("a follow-up opens the message again, is emailed to support and has to be read again", async () => {
  const email = "writer@example.com";
  const number = await ticket(db, gita, { email });
  await answer(number);
  const before = await getMessage(db, gita, number);
  await write(number, 1);
  const after = await getMessage(db, gita, number);
  expect(before).toMatchObject({ state: "answered", acknowledgedAt: expect.any(Date) });
  expect(after).toMatchObject({ state: "open", acknowledgedAt: null, dueAt: before.dueAt });
  expect(after.acknowledgeBy.getTime() - after.answers[1]!.at.getTime()).toBe(48 * hour);
  const [mail] = await mailsTo(db, config.product.supportEmail);
  expect(mail).toMatchObject({ replyTo: email });
  expect(mail!.text).toContain("Is it tomorrow yet?");
  // Nothing goes to the address that a visitor entered, except our reply.
  expect(await mailsTo(db, email)).toHaveLength(1);
});

test("a closed message can be reopened for 14 days, and its month runs on", async () => {
  const number = await ticket(db, gita);
  await answer(number, 0, true);
  const dueAt = now();
  await setMessage(number, { settledAt: new Date(now().getTime() - 13 * day), dueAt });
  await write(number, 1);
  const reopened = await getMessage(db, gita, number);
  expect(reopened).toMatchObject({ state: "open", settledAt: null, dueAt });

  await changeMessageState(db, gita, { ticket: number, state: "closed" });
  await setMessage(number, { settledAt: new Date(now().getTime() - 14 * day - hour) });
  await expect(write(number, 2)).rejects.toThrow("closed more than 14 days ago");
});

test("a follow-up to an unread message doesn't move the time to read it", async () => {
  const number = await ticket(db, gita);
  const { acknowledgeBy } = await getMessage(db, gita, number);
  await write(number, 0);
  expect(await getMessage(db, gita, number)).toMatchObject({ acknowledgeBy, acknowledgedAt: null });
});

test("when the writer and an admin write together, the second must read the first", async () => {
  for (let turn = 0; turn < 5; turn++) {
    const number = await ticket(db, gita);
    const done = await Promise.allSettled([answer(number), write(number, 0)]);
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { answers, state } = await getMessage(db, gita, number);
    expect(answers).toHaveLength(1);
    expect(state).toBe(answers[0]!.isFromWriter ? "open" : "answered");
  }
});

test("an admin who replies after a follow-up learns that the writer wrote", async () => {
  const number = await ticket(db, gita);
  await write(number, 0);
  await expect(answer(number)).rejects.toThrow("They just wrote again.");
});

test("spam stays spam when its writer follows up, and nobody gets an email", async () => {
  const number = await ticket(db, gita, { isSuspected: true });
  const before = await mailsTo(db, config.product.supportEmail);
  await write(number, 0);
  expect(await getMessage(db, gita, number)).toMatchObject({ isSuspected: true });
  expect(await mailsTo(db, config.product.supportEmail)).toHaveLength(before.length);
});

test("the writer says what the message is about", async () => {
  const number = await ticket(db, gita);
  await changeOwnMessageKind(db, config, { token: tokenOf(number), kind: "privacy" });
  expect(await getMessage(db, gita, number)).toMatchObject({ kind: "privacy" });
});

test("people see their own messages; replies only at their account's address", async () => {
  const own = await ticket(db, gita, { senderId: asha.id, email: asha.email });
  const other = await ticket(db, gita, { senderId: asha.id, email: "elsewhere@example.com" });
  await ticket(db, gita, { senderId: ravi.id, email: asha.email });
  await ticket(db, gita, { email: asha.email });
  const listed = await listOwnMessages(db, asha, config);
  expect(new Map(listed.map((one) => [one.ticket, one.path]))).toEqual(
    new Map([
      [own, buildTicketPath(config, own, "mailed")],
      [other, buildTicketPath(config, other, "shown")],
    ]),
  );
});

import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { remarkOn } from "../../../tests/support/rows/marked-reviews.ts";
import { completedReview, eventsOn } from "../../../tests/support/rows/review-states.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { staffRoles, users } from "../../accounts/tables.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { findReadableFile } from "../../reviews/may-read-file.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { reviewRemarks } from "../tables.server.ts";
import { countAnswersOnTime } from "./answer-figures.server.ts";
import { saveAnswer, sendAnswer } from "./answer-question.server.ts";
import { saveQuestion, sendQuestion } from "./ask-question.server.ts";
import {
  findAnsweredFollowUp,
  findOwnFollowUp,
  findQuestionToAnswer,
  hasOpenQuestionFor,
  listOwnQuestions,
} from "./questions.server.ts";
import { followUpLimits as limits, followUpMessages as messages } from "./rules.ts";
import { followUpQuestions } from "./tables.server.ts";

const { db } = await testDatabase();
const who = everybody(db);
const config = testConfig();
const question = "Should the case study come before the list of jobs?";
const answer = "Yes. The case study shows what you did, and the list doesn't.";
const form = (text: string, version = 0, remark = "") => ({ text, remark, version });

let reviewId: string;
beforeEach(async () => {
  stopClock();
  reviewId = await completedReview(db, who.asha, who.meera);
});

const ask = (text = question, fields: { remark?: string; version?: number } = {}) =>
  sendQuestion(db, who.asha, { reviewId, ...form(text), ...fields }, config);
const give = (actor: Actor, text = answer, fields: { remark?: string; version?: number } = {}) =>
  sendAnswer(db, actor, { reviewId, ...form(text), ...fields }, config);
const later = (time: number) => vi.setSystemTime(now().getTime() + time);
const own = () => findOwnFollowUp(db, who.asha, reviewId);

async function row() {
  const [stored] = await db
    .select()
    .from(followUpQuestions)
    .where(eq(followUpQuestions.reviewId, reviewId));
  return stored;
}

const withdraw = () =>
  db.update(serviceReviews).set({ withdrawnAt: now() }).where(eq(serviceReviews.id, reviewId));
const setUser = (id: string, fields: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(fields).where(eq(users.id, id));

test("a question is asked and answered once, and both people get one email in both forms", async () => {
  const remark = await remarkOn(db, reviewId, who.meera, { number: 4 });
  const other = await remarkOn(db, reviewId, who.meera, { number: 5 });
  await ask(question, { remark });
  await ask(question, { remark });
  expect(await own()).toMatchObject({
    state: "asked",
    question: { text: question, remark },
    isLate: false,
  });
  expect((await row())!.dueAt).toEqual(new Date(now().getTime() + 48 * hour));
  const [toMeera, ...others] = await mailsTo(db, who.meera.email);
  expect(others).toEqual([]);
  for (const body of [toMeera!.html, toMeera!.text]) {
    expect(body).toContain(`${config.origin}/reviewer/questions/${reviewId}`);
    expect(body).not.toContain(question);
  }
  await give(who.meera, answer, { remark: other });
  await give(who.meera, answer, { remark: other });
  expect(await own()).toMatchObject({
    state: "answered",
    answer: { text: answer, remark: other },
  });
  const [toAsha, ...more] = await mailsTo(db, who.asha.email);
  expect(more).toEqual([]);
  for (const body of [toAsha!.html, toAsha!.text]) {
    expect(body).toContain(`${config.origin}/service-review/${reviewId}/question`);
    expect(body).not.toContain(answer);
  }
  expect((await eventsOn(db, reviewId)).toSorted()).toEqual(["question.answer", "question.ask"]);
});

test("it can be asked in the last millisecond of seven days, and not at their end", async () => {
  later(7 * day - 1);
  expect(await own()).toMatchObject({ state: "askable" });
  await Promise.all([ask(), ask()]);
  expect(await eventsOn(db, reviewId)).toEqual(["question.ask"]);
  later(1);
  await ask();
  reviewId = await completedReview(db, who.asha, who.meera);
  await saveQuestion(db, who.asha, { reviewId, ...form(question) });
  later(7 * day);
  await expect(ask(question, { version: 1 })).rejects.toThrow(messages.tooLate);
  expect(await own()).toMatchObject({ state: "ended", text: question });
});

test("two tabs with different questions ask one, and the other is refused", async () => {
  const asked = await Promise.allSettled([ask(), ask(`${question} Or after it?`)]);
  expect(asked.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(asked.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: messages.alreadyAsked, code: "already-asked" },
  });
  expect(await eventsOn(db, reviewId)).toEqual(["question.ask"]);
});

test("two tabs with different answers send one, and the other is refused", async () => {
  await ask();
  const sent = await Promise.allSettled([
    give(who.meera),
    give(who.meera, `${answer} Keep it short.`),
  ]);
  expect(sent.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: messages.alreadyAnswered },
  });
  expect((await eventsOn(db, reviewId)).toSorted()).toEqual(["question.answer", "question.ask"]);
});

test("an older tab's save is refused with the saved text, and a repeated one is not", async () => {
  const save = (text: string, version: number) =>
    saveQuestion(db, who.asha, { reviewId, ...form(text, version) });
  expect(await save("", 0)).toBe(0);
  expect(await save("Should the", 0)).toBe(1);
  expect(await save("Should the", 0)).toBe(1);
  expect(await save("Should the case", 1)).toBe(2);
  await expect(save("Should my", 1)).rejects.toMatchObject({
    code: "changed",
    current: { text: "Should the case", version: 2 },
  });
  await expect(ask(question, { version: 1 })).rejects.toMatchObject({ code: "changed" });
  await ask(question, { version: 2 });
  await expect(save("Should my", 3)).rejects.toMatchObject({ code: "already-asked" });
  const saveFirst = (text: string, version: number) =>
    saveAnswer(db, who.meera, { reviewId, ...form(text, version) });
  expect(await saveFirst("Yes", 0)).toBe(1);
  await expect(saveFirst("No", 0)).rejects.toMatchObject({ code: "changed" });
  expect(await own()).toMatchObject({ state: "asked" });
  await expect(give(who.meera, answer, { version: 0 })).rejects.toMatchObject({ code: "changed" });
  await give(who.meera, answer, { version: 1 });
  await expect(saveFirst("No", 2)).rejects.toMatchObject({ code: "already-answered" });
});

test.each([
  ["too short", "Why not?", messages.questionTooShort],
  ["only invisible characters", "\u200b\u2060\ufeff".repeat(30), messages.questionTooShort],
  ["only spaces and lines", " \u00a0\n".repeat(30), messages.questionTooShort],
  ["too long", "a".repeat(limits.question + 1), messages.questionTooLong],
])("a question that is %s is refused", async (_, text, message) => {
  await expect(ask(text)).rejects.toMatchObject({ fields: { text: message } });
  expect((await row())?.askedAt ?? null).toBeNull();
});

test("pasted text is cleaned, and the limits count what is left", async () => {
  await ask(`\u200b ${"a".repeat(limits.min)}\u2060\r\nb `);
  expect((await row())!.question).toBe(`${"a".repeat(limits.min)}\nb`);
  await expect(give(who.meera, "a".repeat(limits.answer + 1))).rejects.toMatchObject({
    fields: { text: messages.answerTooLong },
  });
  await give(who.meera, "a".repeat(limits.answer));
});

test("a remark of another review or a removed one can't be named, and removing it keeps the question", async () => {
  const elsewhere = await remarkOn(db, await completedReview(db, who.ravi, who.meera), who.meera);
  const refusal = { fields: { remark: messages.remarkRemoved } };
  for (const remark of [elsewhere, "none", crypto.randomUUID()])
    await expect(ask(question, { remark })).rejects.toMatchObject(refusal);
  const remark = await remarkOn(db, reviewId, who.meera);
  await ask(question, { remark });
  await db.delete(reviewRemarks).where(eq(reviewRemarks.id, remark));
  expect(await own()).toMatchObject({ question: { text: question, remark: null } });
  await give(who.meera);
});

test("a refunded review takes no question, and its open question takes no answer", async () => {
  await ask();
  await withdraw();
  expect(await listOwnQuestions(db, who.meera)).toEqual([]);
  await expect(give(who.meera)).rejects.toThrow(messages.refunded);
  expect(await own()).toMatchObject({ state: "refunded" });
  reviewId = await completedReview(db, who.asha, who.meera);
  await withdraw();
  await expect(ask()).rejects.toThrow(messages.refunded);
  expect(await own()).toBeNull();
});

test("only the reviewer of the question sees and answers it, while they have the role", async () => {
  await ask();
  expect(await listOwnQuestions(db, who.meera)).toMatchObject([{ reviewId, question }]);
  for (const actor of [who.kabir, who.asha]) {
    expect(await findQuestionToAnswer(db, actor, reviewId)).toBeNull();
    await expect(give(actor)).rejects.toThrow();
  }
  await setUser(who.meera.id, { bannedUntil: new Date(now().getTime() + day) });
  await expect(give(who.meera)).rejects.toThrow(messages.notYours);
  await setUser(who.meera.id, { bannedUntil: null });
  await db.delete(staffRoles).where(eq(staffRoles.userId, who.meera.id));
  await expect(give(who.meera)).rejects.toThrow(messages.notYours);
  expect(await listOwnQuestions(db, who.meera)).toEqual([]);
});

test("a closed customer's question waits until they return, and a banned one's is answered", async () => {
  await ask();
  await setUser(who.asha.id, { closedAt: now() });
  expect(await listOwnQuestions(db, who.meera)).toEqual([]);
  await expect(give(who.meera)).rejects.toThrow(messages.notYours);
  await setUser(who.asha.id, { closedAt: null, bannedUntil: new Date(now().getTime() + day) });
  await give(who.meera);
  expect(await findAnsweredFollowUp(db, reviewId)).toMatchObject({ answer: { text: answer } });
});

test("who answers reads the customer's files until the answer, even if another reviewer wrote the review", async () => {
  const file = await storedFile(db, who.asha, "resumes");
  await db
    .update(serviceReviews)
    .set({ resumeFilePath: file.path })
    .where(eq(serviceReviews.id, reviewId));
  const read = () =>
    findReadableFile(db, who.kabir, "resumes", file.path, hasOpenQuestionFor(db, who.kabir));
  await ask();
  expect(await read()).toBeNull();
  await db
    .update(followUpQuestions)
    .set({ reviewerId: who.kabir.id })
    .where(eq(followUpQuestions.reviewId, reviewId));
  expect(await read()).not.toBeNull();
  await give(who.kabir);
  expect(await read()).toBeNull();
  expect(await findQuestionToAnswer(db, who.kabir, reviewId)).toMatchObject({
    answer: { text: answer },
  });
});

test("the figures count answers in time, late ones and late questions, but no refunded ones", async () => {
  await db.delete(serviceReviews);
  const since = new Date(now().getTime() - 90 * day);
  const askAnother = async () => {
    reviewId = await completedReview(db, who.asha, who.meera);
    await ask();
  };
  await askAnother();
  expect(await countAnswersOnTime(db, since)).toEqual({ inTime: 0, total: 0 });
  later(48 * hour);
  await give(who.meera);
  await askAnother();
  later(48 * hour + 1);
  await give(who.meera);
  await askAnother();
  later(3 * day);
  expect(await countAnswersOnTime(db, since)).toEqual({ inTime: 1, total: 3 });
  await withdraw();
  expect(await countAnswersOnTime(db, since)).toEqual({ inTime: 1, total: 2 });
  expect(await countAnswersOnTime(db, new Date(now().getTime() + day))).toMatchObject({
    total: 0,
  });
});

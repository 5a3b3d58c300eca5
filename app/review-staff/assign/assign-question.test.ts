import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { completedReview } from "../../../tests/support/rows/review-states.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { saveAnswer, sendAnswer } from "../../annotations/follow-up/answer-question.server.ts";
import { sendQuestion } from "../../annotations/follow-up/ask-question.server.ts";
import { followUpMessages as messages } from "../../annotations/follow-up/rules.ts";
import { hour, now } from "../../platform/clock.ts";
import { messages as staffMessages } from "../../reviews/staff-rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import {
  assignQuestion,
  countQuestionsToMove,
  listOpenQuestions,
} from "./assign-question.server.ts";

const { db } = await testDatabase();
const who = everybody(db);
const config = testConfig();
const text = "Should the case study come before the list of jobs?";

let reviewId: string;
beforeEach(async () => {
  stopClock();
  await db.delete(serviceReviews);
  reviewId = await completedReview(db, who.asha, who.meera);
  await sendQuestion(db, who.asha, { reviewId, text, remark: "", version: 0 }, config);
});

const moveTo = (reviewer: { id: string }) =>
  assignQuestion(db, who.gita, { reviewId, reviewerId: reviewer.id }, config);
const listed = () => listOpenQuestions(db, who.gita);
const count = async () => (await countQuestionsToMove(db, who.gita)).counted;
const removeRole = () => db.delete(staffRoles).where(eq(staffRoles.userId, who.meera.id));

test("a moved question keeps its due time and its saved answer, and the first tab learns of it", async () => {
  const save = (version: number) =>
    saveAnswer(db, who.meera, { reviewId, text: "Yes, since", remark: "", version });
  await save(0);
  const [before] = await listed();
  await moveTo(who.kabir);
  expect(await listed()).toMatchObject([
    { reviewerId: who.kabir.id, reviewer: who.kabir.fullName, due: before!.due },
  ]);
  await expect(save(1)).rejects.toThrow(messages.notYours);
  await expect(moveTo(who.kabir)).rejects.toThrow(messages.alreadyTheirs);
  const [toKabir, ...others] = await mailsTo(db, who.kabir.email);
  expect(others).toEqual([]);
  expect(toKabir!.text).toContain(`/reviewer/questions/${reviewId}`);
  expect((await mailsTo(db, who.meera.email))[0]!.subject).toMatch(/no longer yours$/);
  const full = { reviewId, text: "Yes, since it shows what you did.", remark: "", version: 1 };
  await sendAnswer(db, who.kabir, full, config);
  await expect(moveTo(who.meera)).rejects.toThrow(messages.notOpen);
  expect(await listed()).toEqual([]);
});

test("a question can be moved from a reviewer who lost the role, but not to one, nor to its customer", async () => {
  await removeRole();
  expect(await listed()).toMatchObject([{ canAnswer: false }]);
  await expect(moveTo(who.meera)).rejects.toMatchObject({
    fields: { reviewerId: staffMessages.reviewerUnavailable },
  });
  await db.insert(staffRoles).values({ userId: who.asha.id, role: "reviewer", createdAt: now() });
  await expect(moveTo(who.asha)).rejects.toMatchObject({
    fields: { reviewer: messages.ownReview },
  });
  await moveTo(who.kabir);
  expect(await listed()).toMatchObject([{ canAnswer: true }]);
});

test("a question needs admins after 36 hours, or at once if its reviewer can't answer", async () => {
  const start = now().getTime();
  vi.setSystemTime(start + 36 * hour - 1);
  expect(await count()).toBe(0);
  vi.setSystemTime(start + 36 * hour);
  expect(await count()).toBe(1);
  vi.setSystemTime(start);
  await removeRole();
  expect(await count()).toBe(1);
});

test("an answer and a move at the same moment have one effect each", async () => {
  const full = { reviewId, text: "Yes, since it shows what you did.", remark: "", version: 0 };
  const [answered, moved] = await Promise.allSettled([
    sendAnswer(db, who.meera, full, config),
    moveTo(who.kabir),
  ]);
  expect([answered.status, moved.status].filter((status) => status === "rejected")).toHaveLength(1);
});

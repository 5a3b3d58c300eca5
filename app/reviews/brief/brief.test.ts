import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testPayments } from "../../../tests/support/payments/payments.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  pendingReview,
} from "../../../tests/support/rows/review-states.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import { jobFields } from "../../../tests/support/rows/jobs.ts";
import { brief, emptyBrief } from "../../../tests/support/rows/things.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { createJob, deleteJob } from "../../jobs/manage/job-commands.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { createPaidReview } from "../../review-customer/buy/create-paid-review.server.ts";
import { changeDraft } from "../../review-customer/buy/drafts.server.ts";
import { startReviewPayment } from "../../review-customer/buy/review-payments.server.ts";
import { findOwnReview } from "../../review-customer/result/own-reviews.server.ts";
import { reviewDrafts, reviewOrders, serviceReviews } from "../tables.server.ts";
import { answerQuestion } from "../../annotations/answers/answers.server.ts";
import {
  addBrief,
  briefSchema,
  listJobNames,
  getOfferedBrief,
  findBrief,
  findUnansweredBrief,
  getOwnBriefs,
  toBrief,
  saveBrief,
  type SentBrief,
} from "./brief.server.ts";
import { briefMessages } from "../brief.ts";
import { services } from "../rules.ts";

const config = testConfig();
const { db, ...who } = await testPeople();

const type = "resume_review" as const;
const draftOf = async (actor: Actor) =>
  (await db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, actor.id)))[0];

test("a brief is saved in the draft without empty questions, and an empty brief deletes it", async () => {
  const asha = await person(db, "Asha Verma");
  await saveBrief(db, asha, type, { ...emptyBrief, targetRole: "Lead", question3: "Too long?" });
  expect((await getOwnBriefs(db, asha, services[type])).draft).toEqual({
    role: "Lead",
    company: null,
    years: null,
    questions: ["Too long?"],
  });
  await saveBrief(db, asha, type, emptyBrief);
  expect((await draftOf(asha))?.brief).toBeNull();
});

test("a brief does not change the revision: an earlier payment stays valid, with the newest brief", async () => {
  const asha = await ready();
  const first = await pay(asha, { ...emptyBrief, question1: "Too long?" });
  const revision = (await draftOf(asha))!.revision;
  await saveBrief(db, asha, type, { ...emptyBrief, question1: "Too short?", years: 0 });
  expect((await draftOf(asha))!.revision).toBe(revision);
  const second = await pay(asha, { ...emptyBrief, question1: "Too dull?", years: 3 });
  expect(second.orderId).toBe(first.orderId);
  const [order] = await db
    .select()
    .from(reviewOrders)
    .where(eq(reviewOrders.orderId, first.orderId));
  expect(order!.brief).toMatchObject({ questions: ["Too dull?"], years: 3 });
});

test("a payment without brief fields uses the draft's brief", async () => {
  const asha = await ready();
  await saveBrief(db, asha, type, { ...emptyBrief, targetRole: "Lead" });
  const { orderId } = await pay(asha);
  const [order] = await db.select().from(reviewOrders).where(eq(reviewOrders.orderId, orderId));
  expect(order!.brief).toMatchObject({ role: "Lead" });
});

test("a paid brief is copied to the review, and the next purchase offers it", async () => {
  const asha = await ready();
  const { orderId } = await pay(asha, {
    ...emptyBrief,
    targetRole: "Lead designer",
    years: 4,
    question1: "Too long?",
    question2: "Which work first?",
  });
  await db.update(orders).set({ status: "success" }).where(eq(orders.orderId, orderId));
  const paid = { orderId, buyerId: asha.id, purpose: { kind: "review" }, settledAt: now() };
  await db.transaction((tx) => createPaidReview(tx, config, paid));
  await db.transaction((tx) => createPaidReview(tx, config, paid));
  const [review] = await db.select().from(serviceReviews).where(eq(serviceReviews.userId, asha.id));
  expect(await findBrief(db, review!.id)).toEqual({
    role: "Lead designer",
    company: null,
    years: 4,
    questions: [
      { position: 1, question: "Too long?", answer: null },
      { position: 2, question: "Which work first?", answer: null },
    ],
  });
  const offered = await getOfferedBrief(db, asha, services.portfolio_review, null);
  expect(offered).toMatchObject({
    inShort: "",
    isOpen: false,
    last: "Lead designer, 4 years, 2 questions",
  });
  const again = await getOfferedBrief(db, asha, services.portfolio_review, "last");
  expect(again).toMatchObject({
    last: null,
    isOpen: true,
    typed: { targetRole: "Lead designer", years: "4", question2: "Which work first?" },
  });
  expect(
    (await getOfferedBrief(db, await person(db, "Ravi Nair"), services[type], "last")).last,
  ).toBeNull();
});

test("a wish goes from the draft to the order and the review, and the order keeps what it began with", async () => {
  const asha = await ready();
  const wished = { ...emptyBrief, wishedField: "motion", wishedLanguage: "Tamil" } as const;
  await saveBrief(db, asha, type, wished);
  const revision = (await draftOf(asha))!.revision;
  // Another tab, without a brief of its own, pays; the wish changes while the payment is open.
  const { orderId } = await pay(asha);
  await saveBrief(db, asha, type, { ...emptyBrief, wishedLanguage: "Urdu" });
  expect((await draftOf(asha))!.revision).toBe(revision);
  await db.update(orders).set({ status: "success" }).where(eq(orders.orderId, orderId));
  const paid = { orderId, buyerId: asha.id, purpose: { kind: "review" }, settledAt: now() };
  await db.transaction((tx) => createPaidReview(tx, config, paid));
  const [review] = await db.select().from(serviceReviews).where(eq(serviceReviews.userId, asha.id));
  const wish = { field: "motion", language: "Tamil" };
  expect(await findUnansweredBrief(db, review!.id)).toMatchObject({ wish, questions: [] });
  // The reviewer doesn't see the wish, so there is no brief for them.
  expect(await findBrief(db, review!.id)).toBeNull();
  const next = await getOfferedBrief(db, asha, services[type], "last");
  expect(next).toMatchObject({
    inShort: "wish: Motion design, Tamil",
    typed: { wishedField: "motion", wishedLanguage: "Tamil" },
  });
});

test("of two tabs, the wish that was saved last counts", async () => {
  const asha = await ready();
  await pay(asha, { ...emptyBrief, wishedField: "motion" });
  const { orderId } = await pay(asha, { ...emptyBrief, wishedField: "brand" });
  const [order] = await db.select().from(reviewOrders).where(eq(reviewOrders.orderId, orderId));
  expect(order!.brief!.wish).toEqual({ field: "brand", language: null });
  expect((await draftOf(asha))!.brief!.wish).toEqual({ field: "brand", language: null });
});

test.each([
  { wishedField: "astrology", error: briefMessages.fieldUnknown },
  { wishedField: "other", error: briefMessages.fieldUnknown },
  { wishedLanguage: "tamil", error: briefMessages.languageUnknown },
])("a wish outside of the lists is refused: %o", ({ error, ...wish }) => {
  const sentForm = { targetRole: "", years: "", question1: "", question2: "", question3: "" };
  const form = z.object(briefSchema);
  const none = { wishedField: "", wishedLanguage: "" };
  expect(form.safeParse({ ...sentForm, ...none }).data).toEqual(emptyBrief);
  const [issue] = form.safeParse({ ...sentForm, ...none, ...wish }).error!.issues;
  expect(issue!.message).toBe(error);
});

test("a review bought without a brief has none", async () => {
  const id = await pendingReview(db, who.asha);
  await addBrief(db, id, null);
  expect(await findBrief(db, id)).toBeNull();
});

test("a job of the board is found by name, copied, and stays after its deletion", async () => {
  const job = { ...jobFields, title: " Designer at large ", company: "Studio at Sea" };
  const id = await createJob(db, who.devi, job);
  const name = "Designer at large at Studio at Sea";
  expect(await listJobNames(db, "studio at")).toEqual([name]);
  const kept = await toBrief(db, { ...emptyBrief, targetRole: name });
  expect(kept).toMatchObject({ role: "Designer at large", company: "Studio at Sea" });
  await deleteJob(db, who.devi, id);
  expect(await toBrief(db, { ...emptyBrief, targetRole: name })).toMatchObject({
    role: name,
    company: null,
  });
});

test("the customer can read answers once the review is completed", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await addBrief(db, id, brief);
  await answerQuestion(db, who.meera, sent(id, { answer: " Not for\r\nyour years. " }));
  const before = await findOwnReview(db, who.asha, id);
  expect(before?.result).toBeNull();
  expect(before?.brief?.questions.map(({ answer }) => answer)).toEqual([null, null]);
  await db.update(serviceReviews).set({ status: "completed" }).where(eq(serviceReviews.id, id));
  expect((await findOwnReview(db, who.asha, id))?.result?.answers).toMatchObject([
    { question: "Are two pages too long?", answer: "Not for\nyour years." },
    { question: "Which project comes first?", answer: null },
  ]);
});

test("an answer that was changed meanwhile is not overwritten silently", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await addBrief(db, id, brief);
  await answerQuestion(db, who.meera, sent(id, { answer: "No." }));
  const late = answerQuestion(db, who.meera, sent(id, { answer: "Yes." }));
  await expect(late).rejects.toThrow(briefMessages.answerChanged);
  await answerQuestion(db, who.meera, sent(id, { answer: "", seen: "No." }));
  expect((await findBrief(db, id))?.questions[0]?.answer).toBeNull();
});

test("an answer that is too long, or to an unknown question, is refused", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await addBrief(db, id, brief);
  const long = answerQuestion(db, who.meera, sent(id, { answer: "x".repeat(2_001) }));
  await expect(long).rejects.toMatchObject({ fields: { answer: briefMessages.answerTooLong } });
  for (const position of [0, 3, 1.5, Number.NaN])
    await expect(answerQuestion(db, who.meera, sent(id, { position }))).rejects.toThrow("question");
});

test("a god admin changes an answer of a completed review, and the history records it", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  await addBrief(db, id, brief);
  await answerQuestion(db, who.gita, sent(id, { answer: "No." }));
  expect((await findBrief(db, id))?.questions[0]?.answer).toBe("No.");
  expect(await eventsOn(db, id)).toEqual(["review.edit-answer"]);
});

function sent(reviewId: string, fields: { answer?: string; seen?: string; position?: number }) {
  return { reviewId, position: 1, answer: "No.", seen: "", ...fields };
}

async function ready(): Promise<Actor> {
  const asha = await person(db, "Asha Verma");
  const { id } = await storedFile(db, asha, "resumes");
  await changeDraft(db, asha.id, services[type], { resumeFileId: id });
  return asha;
}

function pay(actor: Actor, sentBrief?: SentBrief) {
  const parts = { config, payments: testPayments() };
  return startReviewPayment(db, parts, actor, services[type], {
    phone: null,
    shownPaise: config.reviewPrices[type],
    brief: sentBrief,
  });
}

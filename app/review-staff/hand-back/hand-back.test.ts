import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, notInArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { draftRemark, handedBackDraft } from "../../../tests/support/rows/handed-back-drafts.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { remarkOn } from "../../../tests/support/rows/marked-reviews.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  reviewRow,
} from "../../../tests/support/rows/review-states.ts";
import { staffRoles, users } from "../../accounts/tables.server.ts";
import { answerQuestion } from "../../annotations/answers/answers.server.ts";
import { followUpQuestions } from "../../annotations/follow-up/tables.server.ts";
import { limits } from "../../annotations/rules.ts";
import { listRemarks, rankRemarks } from "../../annotations/remarks/remarks.server.ts";
import { getScores, scoreCriterion } from "../../annotations/remarks/scores.server.ts";
import { getOutcomes, saveOutcome } from "../../annotations/second-look/outcomes.server.ts";
import { reviewRemarks } from "../../annotations/tables.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { Conflict, Denied, Invalid, NotFound } from "../../platform/errors.ts";
import { addBrief, findBrief } from "../../reviews/brief/brief.server.ts";
import type { HandBackReason } from "../../reviews/hand-back-reasons.ts";
import { findReadableFile } from "../../reviews/may-read-file.server.ts";
import { messages as staffMessages } from "../../reviews/staff-rules.ts";
import {
  handedBackDrafts,
  reviewFiles,
  reviewImages,
  serviceReviews,
} from "../../reviews/tables.server.ts";
import { listUnreferencedFiles } from "../../reviews/unreferenced-files.server.ts";
import { assignEvenly } from "../assign/assign-evenly.server.ts";
import { assignReviews, reassignReviews } from "../assign/assign-reviews.server.ts";
import { getDraftVersion, saveDraftFeedback } from "../workspace/own-review.server.ts";
import { submitReview } from "../workspace/submit-review.server.ts";
import {
  countReviewsHandedBack,
  deleteOldDrafts,
  findOfferedDraft,
  findReviewToHandBack,
  getHandedBackDraft,
  listHandedBackReviews,
  listOfferedDrafts,
} from "./drafts.server.ts";
import { handBackReview } from "./hand-back.server.ts";
import { handBackMessages as messages } from "./rules.ts";
import { declineDraft, acceptDraft } from "./use-draft.server.ts";

const config = testConfig();
const { db } = await testDatabase();
const who = everybody(db);

let reviewId: string;

/** Asha's review, which is Meera's and due in two days. */
beforeEach(async () => {
  await db.delete(handedBackDrafts);
  reviewId = await assignedReview(db, who.asha, who.meera, {
    dueAt: new Date(now().getTime() + 2 * day),
  });
});

const handBack = (form: { reason?: string; note?: string; id?: string } = {}, actor = who.meera) =>
  handBackReview(
    db,
    actor,
    { reviewId: form.id ?? reviewId, reason: form.reason ?? "ill", note: form.note ?? "" },
    config,
  );

const assignTo = (reviewer: { id: string }, ids = [reviewId]) =>
  assignReviews(db, who.gita, { reviewIds: ids, reviewerId: reviewer.id }, config);

const saveFeedback = (feedback: string, before: string | null = null, actor = who.meera) =>
  saveDraftFeedback(db, actor, { reviewId, feedback, version: getDraftVersion(before) });

async function onlyDraft() {
  const rows = await db
    .select()
    .from(handedBackDrafts)
    .where(eq(handedBackDrafts.reviewId, reviewId));
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

/** Adds a screenshot and a file that Meera uploaded. @returns their addresses */
async function attach() {
  const createdAt = now();
  const image = await storedFile(db, who.meera, "review-images", `reviews/${reviewId}/a.png`);
  const file = await storedFile(db, who.meera, "review-files", `reviews/${reviewId}/files/a.pdf`);
  const imageId = randomUUID();
  const [imageUrl, fileUrl] = [`review-images/${image.path}`, `review-files/${file.path}`];
  await db
    .insert(reviewImages)
    .values({ id: imageId, reviewId, imageUrl, annotation: "The cover", createdAt });
  const named = { fileName: "a.pdf", fileType: "application/pdf" };
  await db.insert(reviewFiles).values({ reviewId, fileUrl, ...named, createdAt });
  return { imageId, image, file };
}

/** Meera's remark, score, answer, feedback, screenshot and file. */
async function writeAll() {
  const question = { role: null, company: null, years: null, questions: ["Too long?"] };
  await addBrief(db, reviewId, question);
  const attached = await attach();
  await saveFeedback("Start with the clinic project.");
  await remarkOn(db, reviewId, who.meera, { x: 0.1, y: 0.2, width: 0.3, height: 0.1, rank: 1 });
  await remarkOn(db, reviewId, who.meera, { part: null, page: null, imageId: attached.imageId });
  await scoreCriterion(db, who.meera, { reviewId, criterion: "story", score: 4 });
  await answerQuestion(db, who.meera, { reviewId, position: 1, answer: "No.", seen: "" });
  return attached;
}

test("a handed back review is pending with its due time, and the work is a draft", async () => {
  const { review: before } = await reviewRow(db, reviewId);
  await writeAll();
  await handBack({ reason: "outside_field", note: " It's about games.\u200b " });
  const { review, assignment } = await reviewRow(db, reviewId);
  expect(assignment).toBeNull();
  expect(review).toEqual({ ...before, status: "pending" });
  expect(await listRemarks(db, reviewId)).toEqual([]);
  expect(await getScores(db, reviewId)).toEqual({});
  expect((await findBrief(db, reviewId))?.questions).toMatchObject([{ answer: null }]);
  expect(await db.$count(reviewImages, eq(reviewImages.reviewId, reviewId))).toBe(0);
  expect(await db.$count(reviewFiles, eq(reviewFiles.reviewId, reviewId))).toBe(0);
  expect(await onlyDraft()).toMatchObject({
    formerReviewerId: who.meera.id,
    reason: "outside_field",
    note: "It's about games.",
    content: {
      feedback: "Start with the clinic project.",
      remarks: [{ text: "Say what came of it." }, { text: "Say what came of it." }],
      scores: [{ criterion: "story", score: 4 }],
      answers: [{ position: 1, answer: "No." }],
    },
    takenAt: null,
    discardedAt: null,
  });
  expect(await eventsOn(db, reviewId)).toEqual(["review.hand-back"]);
});

test("each admin gets an email at once, and the customer and the reviewer none", async () => {
  await handBack({ reason: "knows_author", note: "She is my sister." });
  const [mail, ...others] = await mailsTo(db, who.gita.email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: "A Resume Review was handed back" });
  expect(mail!.text).toContain("The reviewer knows the author.");
  expect(mail!.text).toContain("still due on");
  expect(mail!.html + mail!.text).not.toContain("sister");
  expect(await mailsTo(db, who.asha.email)).toEqual([]);
  expect(await mailsTo(db, who.meera.email)).toEqual([]);
});

test.each<[string, { reason?: string; note?: string }, object]>([
  ["no reason", { reason: "" }, { reason: messages.reasonMissing }],
  ["an unknown reason", { reason: "toString" }, { reason: messages.reasonMissing }],
  ["a note of 501 characters", { note: "a".repeat(501) }, { note: messages.noteTooLong }],
])("%s is refused, and nothing changes", async (_, form, fields) => {
  await saveFeedback("Kept.");
  await expect(handBack(form)).rejects.toMatchObject({ name: Invalid.name, fields });
  const { review, assignment } = await reviewRow(db, reviewId);
  expect(review.status).toBe("under_review");
  expect(assignment?.draftFeedback).toBe("Kept.");
  await handBack({ note: "a".repeat(500) });
});

test("only the review's reviewer can hand it back, and another id is like a missing one", async () => {
  const missing = new NotFound(staffMessages.notOpen);
  for (const id of [randomUUID(), "1' or '1'='1"])
    await expect(handBack({ id })).rejects.toEqual(missing);
  await expect(handBack({}, who.kabir)).rejects.toEqual(missing);
  await expect(handBack({}, who.asha)).rejects.toThrow(Denied);
  await expect(handBack({}, who.gita)).rejects.toThrow(Denied);
  expect(await findReviewToHandBack(db, who.kabir, reviewId)).toBeNull();
  expect(await findReviewToHandBack(db, who.meera, reviewId)).toMatchObject({ id: reviewId });
});

test("a completed review can't be handed back, also while its question is open", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const dueAt = new Date(now().getTime() + day);
  const asked = { askedAt: now(), dueAt, reviewerId: who.meera.id };
  await db.insert(followUpQuestions).values({ reviewId: id, question: "Which cover?", ...asked });
  await expect(handBack({ id })).rejects.toEqual(new Conflict(staffMessages.alreadySubmitted));
  expect(await findReviewToHandBack(db, who.meera, id)).toBeNull();
});

test("an unopened review can be handed back", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { status: "pending" });
  await handBack({ id });
  expect((await reviewRow(db, id)).assignment).toBeNull();
});

test("handing back twice at the same moment has one effect, and the second gets a plain answer", async () => {
  const results = await Promise.allSettled([handBack(), handBack(), handBack()]);
  const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toEqual([
    new NotFound(staffMessages.notOpen),
    new NotFound(staffMessages.notOpen),
  ]);
  await onlyDraft();
  expect(await eventsOn(db, reviewId)).toEqual(["review.hand-back"]);
  expect(await mailsTo(db, who.gita.email)).toHaveLength(1);
});

const submit = (tx: typeof db) =>
  submitReview(
    tx,
    who.meera,
    { reviewId, feedback: "Good.", version: getDraftVersion(null) },
    config,
  );
const handBackIn = (tx: typeof db) =>
  handBackReview(tx, who.meera, { reviewId, reason: "ill", note: "" }, config);

test("of a submission and a hand back, the first wins and the other is refused", async () => {
  const [submitted, late] = await overlap(db, submit, handBackIn);
  expect(submitted!.status).toBe("fulfilled");
  expect(late).toMatchObject({ reason: new Conflict(staffMessages.alreadySubmitted) });
  expect(await db.$count(handedBackDrafts)).toBe(0);

  reviewId = await assignedReview(db, who.asha, who.meera);
  const [handedBack, tooLate] = await overlap(db, handBackIn, submit);
  expect(handedBack!.status).toBe("fulfilled");
  expect(tooLate).toMatchObject({ reason: new NotFound(staffMessages.notOpen) });
  const { review, assignment } = await reviewRow(db, reviewId);
  expect([review.status, assignment]).toEqual(["pending", null]);
});

test("the text that was saved last is in the draft, and a later one is refused", async () => {
  const save = (tx: typeof db) =>
    saveDraftFeedback(tx, who.meera, {
      reviewId,
      feedback: "The last words.",
      version: getDraftVersion(null),
    });
  const results = await overlap(db, save, handBackIn);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await onlyDraft()).toMatchObject({ content: { feedback: "The last words." } });

  reviewId = await assignedReview(db, who.asha, who.meera);
  const [handedBack, late] = await overlap(db, handBackIn, save);
  expect(handedBack!.status).toBe("fulfilled");
  expect(late).toMatchObject({ reason: new Conflict(staffMessages.notOpen) });
});

test("a score that is saved at the same moment is in the draft or refused", async () => {
  const score = (tx: typeof db) =>
    scoreCriterion(tx, who.meera, { reviewId, criterion: "story", score: 2 });
  await overlap(db, score, handBackIn);
  expect(await onlyDraft()).toMatchObject({ content: { scores: [{ score: 2 }] } });
  reviewId = await assignedReview(db, who.asha, who.meera);
  const [, late] = await overlap(db, handBackIn, score);
  expect(late).toMatchObject({ reason: new NotFound(staffMessages.notOpen) });
  expect(await getScores(db, reviewId)).toEqual({});
});

test.each<[HandBackReason, boolean]>([
  ["ill", true],
  ["outside_field", true],
  ["knows_author", false],
])("after %s, the next reviewer sees the draft: %s", async (reason, isOffered) => {
  await writeAll();
  await handBack({ reason });
  const { id } = await onlyDraft();
  await assignTo(who.kabir);
  const offered = await listOfferedDrafts(db, who.kabir, reviewId);
  const parts = ["2 remarks", "1 score", "1 answer", "1 screenshot", "1 file", "a summary"];
  expect(offered).toEqual(isOffered ? [{ id, isOwn: false, parts }] : []);
  const view = await findOfferedDraft(db, who.kabir, id);
  expect(view?.result.feedback).toBe(isOffered ? "Start with the clinic project." : undefined);
  expect(await findOfferedDraft(db, who.meera, id)).toBeNull();
  if (!isOffered)
    for (const use of [acceptDraft, declineDraft])
      await expect(use(db, who.kabir, { draftId: id })).rejects.toThrow(NotFound);
  const seen = await getHandedBackDraft(db, who.gita, id);
  expect(seen).toMatchObject({ parts, former: "Meera Iyer", reviewer: "Kabir Shah" });
  expect(seen.result.answers).toMatchObject([{ question: "Too long?", answer: "No." }]);
});

test("the draft's files are kept, and only those who see the draft can read them", async () => {
  const { image, file } = await attach();
  await handBack();
  const draft = await onlyDraft();
  await assignTo(who.kabir);
  const reads = (actor: typeof who.gita) =>
    Promise.all(
      [image, file].map(async ({ bucket, path }) =>
        Boolean(await findReadableFile(db, actor, bucket, path)),
      ),
    );
  const later = new Date(now().getTime() + hour);
  const unreferenced = async () => (await listUnreferencedFiles(db, later)).map(({ id }) => id);
  expect(await reads(who.kabir)).toEqual([true, true]);
  expect(await reads(who.gita)).toEqual([true, true]);
  for (const other of [who.meera, who.asha, who.ravi])
    expect(await reads(other)).toEqual([false, false]);
  expect(await unreferenced()).not.toContain(image.id);
  await db.update(handedBackDrafts).set({ reason: "knows_author" });
  expect(await reads(who.kabir)).toEqual([false, false]);
  expect(await reads(who.gita)).toEqual([true, true]);
  await db.delete(handedBackDrafts).where(eq(handedBackDrafts.id, draft.id));
  expect(await unreferenced()).toEqual(expect.arrayContaining([image.id, file.id]));
});

test("a taken draft is the reviewer's own, with its screenshots, once", async () => {
  await writeAll();
  await handBack();
  const { id: draftId } = await onlyDraft();
  await assignTo(who.kabir);
  const results = await Promise.allSettled(
    [1, 2].map(() => acceptDraft(db, who.kabir, { draftId })),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: messages.draftSettled, code: "nothing-to-do" },
  });
  const getRank = (remark: { rank: number | null }) => remark.rank ?? limits.ranks + 1;
  const remarks = (await listRemarks(db, reviewId)).toSorted(
    (one, other) => getRank(one) - getRank(other),
  );
  const [image] = await db.select().from(reviewImages).where(eq(reviewImages.reviewId, reviewId));
  expect(remarks).toMatchObject([
    { authorId: who.kabir.id, rank: 1, area: { x: 0.1 } },
    { authorId: who.kabir.id, target: { kind: "image", imageId: image!.id } },
  ]);
  expect(await getScores(db, reviewId)).toEqual({ story: 4 });
  expect((await findBrief(db, reviewId))?.questions).toMatchObject([{ answer: "No." }]);
  const { assignment } = await reviewRow(db, reviewId);
  expect(assignment).toMatchObject({ draftFeedback: "Start with the clinic project." });
  expect(await listOfferedDrafts(db, who.kabir, reviewId)).toEqual([]);
  expect(await onlyDraft()).toMatchObject({ settledBy: who.kabir.id, discardedAt: null });
});

test("taking a draft overwrites nothing, and the earlier summary comes below the own one", async () => {
  await writeAll();
  await handBack();
  const { id: draftId } = await onlyDraft();
  await assignTo(who.kabir);
  await saveFeedback("My own view.\n", null, who.kabir);
  const own = await remarkOn(db, reviewId, who.kabir);
  await rankRemarks(db, who.kabir, { reviewId, ids: [own] });
  await scoreCriterion(db, who.kabir, { reviewId, criterion: "story", score: 1 });
  await answerQuestion(db, who.kabir, { reviewId, position: 1, answer: "Yes.", seen: "" });
  const { added } = await acceptDraft(db, who.kabir, { draftId });
  expect(added).toMatchObject({ scores: [], answers: [], remarks: [{}, {}] });
  const ranks = (await listRemarks(db, reviewId)).map(({ id, rank }) => (id === own ? rank : 0));
  expect(new Set(ranks)).toEqual(new Set([1, 0]));
  expect(
    await db.$count(
      reviewRemarks,
      and(eq(reviewRemarks.reviewId, reviewId), isNotNull(reviewRemarks.rank)),
    ),
  ).toBe(1);
  expect(await getScores(db, reviewId)).toEqual({ story: 1 });
  expect((await findBrief(db, reviewId))?.questions).toMatchObject([{ answer: "Yes." }]);
  const { assignment } = await reviewRow(db, reviewId);
  expect(assignment?.draftFeedback).toBe("My own view.\n\nStart with the clinic project.");
});

test("a draft that doesn't fit is refused and stays offered", async () => {
  await handBack();
  await assignTo(who.kabir);
  const remarks = Array.from({ length: limits.remarks }, () => draftRemark);
  const many = await handedBackDraft(db, reviewId, who.meera, { content: { remarks } });
  await remarkOn(db, reviewId, who.kabir);
  const refused = new Conflict(messages.tooManyRemarks(limits.remarks));
  await expect(acceptDraft(db, who.kabir, { draftId: many })).rejects.toEqual(refused);
  const long = await handedBackDraft(db, reviewId, who.meera, {
    content: { feedback: "a".repeat(50_000), remarks: [] },
  });
  await saveFeedback("Mine.", null, who.kabir);
  const tooLong = new Conflict(messages.feedbackTooLong);
  await expect(acceptDraft(db, who.kabir, { draftId: long })).rejects.toEqual(tooLong);
  expect((await listOfferedDrafts(db, who.kabir, reviewId)).map(({ id }) => id)).toEqual([
    many,
    long,
  ]);
});

test("a discarded draft is no longer offered, and admins still see it", async () => {
  await saveFeedback("Start with the clinic project.");
  await handBack();
  const { id: draftId } = await onlyDraft();
  await assignTo(who.kabir);
  const [one, other] = await Promise.allSettled([
    declineDraft(db, who.kabir, { draftId }),
    declineDraft(db, who.kabir, { draftId }),
  ]);
  expect([one.status, other.status].toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(acceptDraft(db, who.kabir, { draftId })).rejects.toThrow(messages.draftSettled);
  expect(await findOfferedDraft(db, who.kabir, draftId)).toBeNull();
  expect((await getHandedBackDraft(db, who.gita, draftId)).state).toContain("Discarded");
});

test("drafts of two reviewers are offered in their order, and an empty one isn't", async () => {
  await saveFeedback("First.");
  await handBack();
  await assignTo(who.kabir);
  await saveFeedback("Second.", null, who.kabir);
  await handBack({}, who.kabir);
  await assignTo(who.meera);
  await handBack();
  await assignTo(who.meera);
  expect(await listOfferedDrafts(db, who.meera, reviewId)).toMatchObject([
    { isOwn: true },
    { isOwn: false },
  ]);
  expect(await db.$count(handedBackDrafts)).toBe(3);
});

test("who says later that they know the author hides their earlier draft too", async () => {
  await saveFeedback("First.");
  await handBack();
  await assignTo(who.meera);
  await handBack({ reason: "knows_author" });
  await assignTo(who.kabir);
  expect(await listOfferedDrafts(db, who.kabir, reviewId)).toEqual([]);
  expect(await eventsOn(db, reviewId)).toEqual([
    "review.hand-back",
    "review.assign",
    "review.hand-back",
    "review.assign",
  ]);
});

test("admins don't see the draft of a review that was refunded, or whose customer left", async () => {
  await saveFeedback("First.");
  await handBack();
  const { id } = await onlyDraft();
  const isOfReview = eq(serviceReviews.id, reviewId);
  await db.update(serviceReviews).set({ withdrawnAt: now() }).where(isOfReview);
  await expect(getHandedBackDraft(db, who.gita, id)).rejects.toThrow(NotFound);
  await db.update(serviceReviews).set({ withdrawnAt: null }).where(isOfReview);
  await db.update(users).set({ closedAt: now() }).where(eq(users.id, who.asha.id));
  await expect(getHandedBackDraft(db, who.gita, id)).rejects.toThrow(NotFound);
  expect(await listHandedBackReviews(db, who.gita)).toEqual([]);
});

test("remarks and screenshots of an earlier reviewer stay with the review", async () => {
  const createdAt = now();
  const address = `review-images/reviews/${reviewId}/kabir.png`;
  await storedFile(db, who.kabir, "review-images", `reviews/${reviewId}/kabir.png`);
  const imageId = randomUUID();
  await db.insert(reviewImages).values({ id: imageId, reviewId, imageUrl: address, createdAt });
  const earlier = await remarkOn(db, reviewId, who.kabir);
  const onTheirs = { part: null, page: null, imageId };
  await remarkOn(db, reviewId, who.meera, onTheirs);
  await handBack();
  expect((await listRemarks(db, reviewId)).map(({ id }) => id)).toEqual([earlier]);
  const { id: draftId } = await onlyDraft();
  await assignTo(who.kabir);
  await acceptDraft(db, who.kabir, { draftId });
  const images = await db
    .select({ imageId: reviewRemarks.imageId })
    .from(reviewRemarks)
    .where(eq(reviewRemarks.imageId, imageId));
  expect(images).toHaveLength(1);
});

test("a second look's outcomes move, without those of deleted remarks", async () => {
  const first = await completedReview(db, who.asha, who.ravi);
  const [solved, gone] = [await remarkOn(db, first, who.ravi), await remarkOn(db, first, who.ravi)];
  await db
    .update(serviceReviews)
    .set({ secondLookOf: first })
    .where(eq(serviceReviews.id, reviewId));
  const sent = { outcome: "solved", note: "Better.", target: null, area: null, base: 0 };
  for (const remarkId of [solved, gone])
    await saveOutcome(db, who.meera, { reviewId, remarkId, ...sent });
  await handBack();
  expect(await getOutcomes(db, reviewId)).toEqual({});
  await db.delete(reviewRemarks).where(eq(reviewRemarks.id, gone));
  const { id: draftId } = await onlyDraft();
  await assignTo(who.kabir);
  expect((await findOfferedDraft(db, who.kabir, draftId))?.outcomes).toMatchObject([
    { remarkId: solved, outcome: { label: "Solved" }, note: "Better." },
  ]);
  await acceptDraft(db, who.kabir, { draftId });
  expect(await getOutcomes(db, reviewId)).toMatchObject({ [solved]: { outcome: "solved" } });
});

test("a reviewer who knows the author doesn't get the review again; the others can by hand", async () => {
  await handBack({ reason: "knows_author" });
  const known = "1 review was handed back by this reviewer, who knows the author.";
  await expect(assignTo(who.meera)).rejects.toEqual(new Conflict(known));
  const other = await assignedReview(db, who.asha, who.meera);
  await handBack({ id: other });
  expect(await assignTo(who.meera, [reviewId, other])).toMatchObject({
    assigned: [other],
    knownToReviewer: [reviewId],
  });
  await assignTo(who.kabir);
  const toMeera = { reviewIds: [reviewId], reviewerId: who.meera.id };
  await expect(reassignReviews(db, who.gita, toMeera, config)).rejects.toEqual(new Conflict(known));
});

test("sharing out never gives a review to a reviewer who handed it back", async () => {
  await db.delete(staffRoles).where(notInArray(staffRoles.userId, [who.meera.id, who.kabir.id]));
  await assignedReview(db, who.asha, who.kabir);
  await handBack();
  const share = () => assignEvenly(db, who.gita, { reviewIds: [reviewId] }, config);
  expect(await share()).toMatchObject({ assigned: [reviewId] });
  expect((await reviewRow(db, reviewId)).assignment?.reviewerId).toBe(who.kabir.id);
  await handBack({ reason: "outside_field" }, who.kabir);
  await expect(share()).rejects.toEqual(new Conflict(staffMessages.nobodyAvailable));
});

test("a handed back review waits for admins until it has a reviewer", async () => {
  const count = async () => (await countReviewsHandedBack(db, who.gita)).counted;
  expect(await count()).toBe(0);
  await handBack();
  expect(await count()).toBe(1);
  expect(await listHandedBackReviews(db, who.gita)).toMatchObject([
    { reviewId, reviewer: null, reason: "The reviewer is ill", state: "Nothing was written." },
  ]);
  await assignTo(who.kabir);
  expect(await count()).toBe(0);
  await handBack({ reason: "outside_field" }, who.kabir);
  expect(await count()).toBe(1);
  expect(await listHandedBackReviews(db, who.gita)).toHaveLength(2);
  await db.update(serviceReviews).set({ withdrawnAt: now() });
  expect(await count()).toBe(0);
});

test("submitting the review deletes its drafts, and others go after 30 days", async () => {
  await handBack();
  await assignTo(who.kabir);
  const version = getDraftVersion(null);
  await submitReview(db, who.kabir, { reviewId, feedback: "Good.", version }, config);
  expect(await db.$count(handedBackDrafts)).toBe(0);
  const { assignment } = await reviewRow(db, reviewId);
  expect(assignment?.reviewerId).toBe(who.kabir.id);
  const past = (days: number) => new Date(now().getTime() - days * day);
  const id = await assignedReview(db, who.asha, who.kabir);
  await handedBackDraft(db, id, who.meera, { handedBackAt: past(31) });
  const young = await handedBackDraft(db, id, who.meera, { handedBackAt: past(29) });
  expect(await deleteOldDrafts(db)).toBe(1);
  expect(await db.select({ id: handedBackDrafts.id }).from(handedBackDrafts)).toEqual([
    { id: young },
  ]);
});

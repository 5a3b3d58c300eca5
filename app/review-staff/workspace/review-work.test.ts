import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { remarkOn } from "../../../tests/support/rows/marked-reviews.ts";
import {
  assignedReview,
  eventsOn,
  attachFiles,
  pendingReview,
  reviewRow,
} from "../../../tests/support/rows/review-states.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { scoreCriterion } from "../../annotations/remarks/scores.server.ts";
import { now } from "../../platform/clock.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import {
  createDraftConflict,
  getDraftVersion,
  openReview,
  saveDraftFeedback,
} from "./own-review.server.ts";
import { findWorkspace } from "./find.server.ts";
import { removeUpload } from "./review-uploads.server.ts";
import { messages } from "../../reviews/staff-rules.ts";
import { submitReview } from "./submit-review.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";
import { setPriority } from "../assign/set-priority.server.ts";

const config = testConfig();
const { db } = await testDatabase();
const who = everybody(db);

const empty = getDraftVersion(null);

const submit = (
  actor: Parameters<typeof submitReview>[1],
  reviewId: string,
  feedback = "Good work.",
  version = empty,
) => submitReview(db, actor, { reviewId, feedback, version }, config);

/** Saves a text over the given version and returns the new version. */
const save = (
  actor: Parameters<typeof saveDraftFeedback>[1],
  reviewId: string,
  feedback: string,
  version = empty,
) => saveDraftFeedback(db, actor, { reviewId, feedback, version });

test("opening a pending review puts it under review, once", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { status: "pending" });
  const opened = await Promise.all([openReview(db, who.meera, id), openReview(db, who.meera, id)]);
  expect(opened.filter(Boolean)).toHaveLength(1);
  expect((await reviewRow(db, id)).review.status).toBe("under_review");
  expect(await eventsOn(db, id)).toEqual(["review.open"]);
});

test("a draft is stored on the assignment and shown only to its reviewer", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await save(who.meera, id, "First thoughts,\r\nand more");
  const { review, assignment } = await reviewRow(db, id);
  expect(assignment?.draftFeedback).toBe("First thoughts,\nand more");
  expect(review.reviewerFeedback).toBeNull();
  expect((await findWorkspace(db, who.meera, id))?.draft).toEqual({
    feedback: "First thoughts,\nand more",
    version: getDraftVersion("First thoughts,\nand more"),
  });
  expect(await findWorkspace(db, who.kabir, id)).toBeNull();
});

test("a draft is saved only on the reviewer's own open assignment, up to 50,000 characters", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await expect(save(who.kabir, id, "x")).rejects.toThrow(messages.notOpen);
  await expect(save(who.meera, id, "x".repeat(50_001))).rejects.toThrow(Invalid);
  const version = await save(who.meera, id, "x".repeat(50_000));
  await submit(who.meera, id, "Good work.", version);
  await expect(save(who.meera, id, "x")).rejects.toThrow(messages.alreadySubmitted);
  expect((await reviewRow(db, id)).assignment?.draftFeedback).toBeNull();
});

test("one of several drafts saved at the same moment wins, and the others get a conflict", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const initial = await save(who.meera, id, "first");
  const texts = ["one", "two", "three", "four", "five"];
  const results = await Promise.allSettled(texts.map((text) => save(who.meera, id, text, initial)));
  const saved = texts.filter((_, turn) => results[turn]!.status === "fulfilled");
  expect(saved).toEqual([(await reviewRow(db, id)).assignment?.draftFeedback]);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toEqual(createDraftConflict(saved[0]));
});

test("a draft is saved from its latest version, and the same text again is no conflict", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const first = await save(who.meera, id, "first");
  expect(await save(who.meera, id, "first")).toBe(first);
  await save(who.meera, id, "second", first);
  await expect(save(who.meera, id, "elsewhere", first)).rejects.toThrow(messages.draftChanged);
  expect((await reviewRow(db, id)).assignment?.draftFeedback).toBe("second");
});

test("a review is not submitted over a draft that the reviewer has not seen", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const version = await save(who.meera, id, "from elsewhere");
  await expect(submit(who.meera, id, "mine")).rejects.toThrow(messages.draftChanged);
  expect((await reviewRow(db, id)).review.status).toBe("under_review");
  expect((await reviewRow(db, id)).assignment?.draftFeedback).toBe("from elsewhere");
  await submit(who.meera, id, "mine", version);
  expect((await reviewRow(db, id)).review.reviewerFeedback).toBe("mine");
});

test("submitting completes the review, clears the draft and notifies the customer", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { type: "combined_review" });
  const version = await save(who.meera, id, "half");
  await submit(who.meera, id, "  Lead with outcomes.\n ", version);
  const { review, assignment } = await reviewRow(db, id);
  expect(review).toMatchObject({ status: "completed", reviewerFeedback: "Lead with outcomes." });
  expect(assignment).toMatchObject({ completedAt: expect.any(Date), draftFeedback: null });
  const [mail] = await mailsTo(db, who.asha.email);
  expect(mail).toMatchObject({ subject: "Your Combined Review is ready" });
  expect(mail!.html).toContain(`${config.origin}/service-review/${id}`);
  expect(mail!.html + mail!.text).not.toContain("Lead with outcomes");
  expect(mail!.text).toContain("Your review is ready: a summary.");
  expect(mail!.text).toMatch(/^Paid on .+ → With a reviewer → Ready on .+$/m);
  expect(await eventsOn(db, id)).toEqual(["review.submit"]);
});

test.each([
  [1, 2, "1 remark, 2 scores and a summary."],
  [2, 0, "2 remarks and a summary."],
])("the email counts %d remarks and %d scores", async (remarks, scores, contents) => {
  const id = await assignedReview(db, who.asha, who.meera);
  for (let number = 0; number < remarks; number++) await remarkOn(db, id, who.meera);
  for (const criterion of (["story", "impact"] as const).slice(0, scores))
    await scoreCriterion(db, who.meera, { reviewId: id, criterion, score: 4 });
  await submit(who.meera, id);
  const [mail] = await mailsTo(db, who.asha.email);
  expect(mail!.text).toContain(`Your review is ready: ${contents}`);
});

test("a review is submitted exactly once, even by simultaneous submits", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const texts = ["one", "two", "three", "four", "five"];
  const results = await Promise.allSettled(texts.map((text) => submit(who.meera, id, text)));
  const winner = results.findIndex(({ status }) => status === "fulfilled");
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await reviewRow(db, id)).review.reviewerFeedback).toBe(texts[winner]);
  await expect(submit(who.meera, id, "again")).rejects.toThrow(
    "This review has already been submitted.",
  );
  expect(await mailsTo(db, who.asha.email)).toHaveLength(1);
});

test("feedback must be neither blank nor too long", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await expect(submit(who.meera, id, " \r\n\t ")).rejects.toThrow(Invalid);
  await expect(submit(who.meera, id, "x".repeat(50_001))).rejects.toThrow(Invalid);
  expect((await reviewRow(db, id)).review.status).toBe("under_review");
});

test("a person who lost the role or is banned can do nothing more, even in a request under way", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const { imageId } = await attachFiles(db, id);
  await db.delete(staffRoles).where(eq(staffRoles.userId, who.meera.id));
  await refusesEverything(id, imageId);
  await db.insert(staffRoles).values({ userId: who.meera.id, role: "reviewer", createdAt: now() });
  await setBan(db, who.meera.id, tomorrow());
  await refusesEverything(id, imageId);
});

async function refusesEverything(reviewId: string, imageId: string) {
  await expect(openReview(db, who.meera, reviewId)).rejects.toThrow(NotFound);
  await expect(save(who.meera, reviewId, "x")).rejects.toThrow(messages.notOpen);
  await expect(
    removeUpload(db, who.meera, { reviewId, kind: "image", id: imageId }),
  ).rejects.toThrow(NotFound);
  await expect(submit(who.meera, reviewId)).rejects.toThrow(NotFound);
  expect(await findWorkspace(db, who.meera, reviewId)).toBeNull();
}

test("a reviewer removes screenshots and files of an open review", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const { imageId, fileId } = await attachFiles(db, id);
  await removeUpload(db, who.meera, { reviewId: id, kind: "image", id: imageId });
  await removeUpload(db, who.meera, { reviewId: id, kind: "file", id: fileId });
  expect(await findWorkspace(db, who.meera, id)).toMatchObject({ images: [], files: [] });
  expect(await eventsOn(db, id)).toEqual(["review.remove-upload", "review.remove-upload"]);
});

test("a reviewer cannot remove uploads of another review through their own", async () => {
  const theirs = await assignedReview(db, who.asha, who.kabir);
  const own = await assignedReview(db, who.asha, who.meera);
  const { imageId } = await attachFiles(db, theirs);
  await expect(
    removeUpload(db, who.meera, { reviewId: own, kind: "image", id: imageId }),
  ).rejects.toThrow(NotFound);
  expect((await findWorkspace(db, who.kabir, theirs))?.images).toHaveLength(1);
});

test("an admin's change of priority is in the audit trail", async () => {
  const id = await pendingReview(db, who.asha);
  await setPriority(db, who.gita, { reviewId: id, priority: 3 });
  expect((await reviewRow(db, id)).review.priority).toBe(3);
  expect(await eventsOn(db, id)).toEqual(["review.prioritise"]);
  for (const priority of [-1, 4, 1.5, Number.NaN]) {
    await expect(setPriority(db, who.gita, { reviewId: id, priority })).rejects.toThrow(Invalid);
  }
});

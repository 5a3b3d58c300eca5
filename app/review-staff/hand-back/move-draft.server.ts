import { randomUUID } from "node:crypto";
import { and, asc, eq, exists, isNotNull, isNull, sql } from "drizzle-orm";
import { getScores } from "../../annotations/remarks/scores.server.ts";
import { limits } from "../../annotations/rules.ts";
import { getOutcomes, isEarlierRemark } from "../../annotations/second-look/outcomes.server.ts";
import { remarkOutcomes, reviewRemarks, reviewScores } from "../../annotations/tables.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import type { OwnOpenReview } from "../../reviews/locks.server.ts";
import { feedbackLimit } from "../../reviews/staff-rules.ts";
import {
  reviewAssignments,
  reviewFiles,
  reviewImages,
  reviewQuestions,
} from "../../reviews/tables.server.ts";
import type { DraftContent } from "./draft-content.server.ts";
import { handBackMessages as messages } from "./rules.ts";

/**
 * Removes from a locked review what its reviewer wrote. Remarks and screenshots of earlier reviewers stay. Scores, answers
 * and outcomes have no author, so they belong to the reviewer.
 *
 * @returns everything except the feedback
 */
export async function extractDraft(
  tx: Database,
  reviewId: string,
  reviewerId: string,
): Promise<Omit<DraftContent, "feedback">> {
  const remarks = await tx
    .delete(reviewRemarks)
    .where(and(eq(reviewRemarks.reviewId, reviewId), eq(reviewRemarks.authorId, reviewerId)))
    .returning();
  const scores = await tx
    .delete(reviewScores)
    .where(eq(reviewScores.reviewId, reviewId))
    .returning();
  const outcomes = await tx
    .delete(remarkOutcomes)
    .where(eq(remarkOutcomes.reviewId, reviewId))
    .returning();
  const isUploader = (address: typeof reviewImages.imageUrl | typeof reviewFiles.fileUrl) =>
    exists(
      tx
        .select({ one: sql`1` })
        .from(storedFiles)
        .where(
          and(
            eq(storedFiles.uploadedBy, reviewerId),
            eq(sql`${storedFiles.bucket} || '/' || ${storedFiles.path}`, address),
          ),
        ),
    );
  const images = await tx
    .delete(reviewImages)
    .where(and(eq(reviewImages.reviewId, reviewId), isUploader(reviewImages.imageUrl)))
    .returning();
  const files = await tx
    .delete(reviewFiles)
    .where(and(eq(reviewFiles.reviewId, reviewId), isUploader(reviewFiles.fileUrl)))
    .returning();
  const answers = await extractAnswers(tx, reviewId);
  return { remarks, scores, answers, outcomes, images, files };
}

async function extractAnswers(tx: Database, reviewId: string): Promise<DraftContent["answers"]> {
  const isAnswered = and(eq(reviewQuestions.reviewId, reviewId), isNotNull(reviewQuestions.answer));
  const rows = await tx
    .select({ position: reviewQuestions.position, answer: reviewQuestions.answer })
    .from(reviewQuestions)
    .where(isAnswered)
    .orderBy(asc(reviewQuestions.position));
  await tx.update(reviewQuestions).set({ answer: null, answeredAt: null }).where(isAnswered);
  return rows.map(({ position, answer }) => ({ position, answer: answer! }));
}

/**
 * Adds a draft to what the reviewer of a locked review wrote, and overwrites nothing of theirs. The earlier summary comes
 * below their own.
 *
 * @returns the parts that were added
 * @throws {Conflict} when both are too long together.
 */
export async function addDraft(
  tx: Database,
  { review, assignmentId, reviewer }: OwnOpenReview,
  draft: DraftContent,
): Promise<DraftContent> {
  await addFeedback(tx, assignmentId, draft.feedback);
  const imageIds = await addAttachments(tx, review.id, draft);
  await addRemarks(tx, { reviewId: review.id, authorId: reviewer.id, imageIds }, draft.remarks);
  return {
    ...draft,
    scores: await addScores(tx, review.id, draft.scores),
    answers: await addAnswers(tx, review.id, draft.answers),
    outcomes: await addOutcomes(tx, review, draft.outcomes),
  };
}

async function addFeedback(tx: Database, assignmentId: string, earlier: string): Promise<void> {
  if (earlier.trim() === "") return;
  // Autosave changes this row without the review's lock.
  const [row] = await tx
    .select({ own: reviewAssignments.draftFeedback })
    .from(reviewAssignments)
    .where(eq(reviewAssignments.id, assignmentId))
    .for("no key update");
  const own = row?.own?.trimEnd() ?? "";
  const draftFeedback = own === "" ? earlier : `${own}\n\n${earlier}`;
  if (draftFeedback.length > feedbackLimit) throw new Conflict(messages.feedbackTooLong);
  await tx
    .update(reviewAssignments)
    .set({ draftFeedback, draftSavedAt: now() })
    .where(eq(reviewAssignments.id, assignmentId));
}

/** @returns the new ids of the screenshots by their earlier ones */
async function addAttachments(
  tx: Database,
  reviewId: string,
  { images, files }: DraftContent,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map(images.map(({ id }) => [id, randomUUID()]));
  if (images.length > 0)
    await tx
      .insert(reviewImages)
      .values(images.map((image) => ({ ...image, id: ids.get(image.id)!, reviewId })));
  if (files.length > 0)
    await tx.insert(reviewFiles).values(files.map((file) => ({ ...file, reviewId })));
  return ids;
}

/** A remark gets a new id, so that no tab confuses it with the earlier one. */
async function addRemarks(
  tx: Database,
  {
    reviewId,
    authorId,
    imageIds,
  }: { reviewId: string; authorId: string; imageIds: ReadonlyMap<string, string> },
  remarks: DraftContent["remarks"],
): Promise<void> {
  if (remarks.length === 0) return;
  const ofReview = eq(reviewRemarks.reviewId, reviewId);
  if ((await tx.$count(reviewRemarks, ofReview)) + remarks.length > limits.remarks)
    throw new Conflict(messages.tooManyRemarks(limits.remarks));
  const isRanked =
    (await tx.$count(reviewRemarks, and(ofReview, isNotNull(reviewRemarks.rank)))) > 0;
  const images = await tx
    .select({ id: reviewImages.id })
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, reviewId));
  const findImageId = (id: string | null) =>
    (id && imageIds.get(id)) ?? images.find((image) => image.id === id)?.id ?? null;
  const updatedAt = now();
  await tx.insert(reviewRemarks).values(
    remarks.map((remark) => ({
      ...remark,
      id: randomUUID(),
      reviewId,
      authorId,
      imageId: findImageId(remark.imageId),
      rank: isRanked ? null : remark.rank,
      updatedAt,
    })),
  );
}

async function addScores(tx: Database, reviewId: string, scores: DraftContent["scores"]) {
  const own = await getScores(tx, reviewId);
  const missing = scores.filter(({ criterion }) => !Object.hasOwn(own, criterion));
  const updatedAt = now();
  if (missing.length > 0)
    await tx
      .insert(reviewScores)
      .values(missing.map((score) => ({ ...score, reviewId, updatedAt })));
  return missing;
}

async function addAnswers(tx: Database, reviewId: string, answers: DraftContent["answers"]) {
  const added: DraftContent["answers"] = [];
  for (const { position, answer } of answers) {
    const isUnanswered = and(
      eq(reviewQuestions.reviewId, reviewId),
      eq(reviewQuestions.position, position),
      isNull(reviewQuestions.answer),
    );
    const answered = await tx
      .update(reviewQuestions)
      .set({ answer, answeredAt: now() })
      .where(isUnanswered)
      .returning({ position: reviewQuestions.position });
    if (answered.length > 0) added.push({ position, answer });
  }
  return added;
}

/** Skips the outcomes of remarks that an admin has deleted since. */
async function addOutcomes(
  tx: Database,
  { id: reviewId, secondLookOf }: OwnOpenReview["review"],
  outcomes: DraftContent["outcomes"],
) {
  if (secondLookOf === null || outcomes.length === 0) return [];
  const own = await getOutcomes(tx, reviewId);
  const remarks = await tx
    .select({ id: reviewRemarks.id })
    .from(reviewRemarks)
    .where(isEarlierRemark(tx, secondLookOf));
  const missing = outcomes.filter(
    ({ remarkId }) => !Object.hasOwn(own, remarkId) && remarks.some(({ id }) => id === remarkId),
  );
  const updatedAt = now();
  if (missing.length > 0)
    await tx
      .insert(remarkOutcomes)
      .values(missing.map((outcome) => ({ ...outcome, reviewId, updatedAt })));
  return missing;
}

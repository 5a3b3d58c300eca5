import { and, asc, desc, eq, isNull, lt, ne, notExists, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { hasOpenAccount } from "../../accounts/sealed-accounts.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { day, formatShortDateTime, now } from "../../platform/clock.ts";
import { type Database, deleteRowsInSteps, isUuid } from "../../platform/database.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { NotFound } from "../../platform/errors.ts";
import { toDueView } from "../../reviews/due-dates/due-dates.ts";
import { isActiveReviewer } from "../../reviews/locks.server.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import {
  handedBackDrafts,
  reviewAssignments,
  serviceReviews,
} from "../../reviews/tables.server.ts";
import { draftContent, listDraftParts } from "./draft-content.server.ts";
import { getDraftView } from "./draft-view.server.ts";
import { reasonLabels } from "./rules.ts";

/** A draft that the reviewer of a review can use. */
export type OfferedDraft = {
  id: string;
  /** True if the reviewer wrote it, before the review came back to them. */
  isOwn: boolean;
  /** "8 remarks", "a summary" */
  parts: string[];
};

/** True in SQL for a draft that the next reviewer may see. */
const isVisible = ne(handedBackDrafts.reason, "knows_author");
const isUnsettled = and(isNull(handedBackDrafts.takenAt), isNull(handedBackDrafts.discardedAt));

/**
 * Lists the drafts that earlier reviewers of a review left for the next one, oldest first. Empty ones are left out. Check
 * permission before calling it.
 */
export async function listOfferedDrafts(
  db: Database,
  actor: { id: string },
  reviewId: string,
): Promise<OfferedDraft[]> {
  const rows = await db
    .select({
      id: handedBackDrafts.id,
      formerReviewerId: handedBackDrafts.formerReviewerId,
      content: handedBackDrafts.content,
    })
    .from(handedBackDrafts)
    .where(and(eq(handedBackDrafts.reviewId, reviewId), isVisible, isUnsettled))
    .orderBy(asc(handedBackDrafts.handedBackAt), asc(handedBackDrafts.id));
  return rows
    .map(({ id, formerReviewerId, content }) => ({
      id,
      isOwn: formerReviewerId === actor.id,
      parts: listDraftParts(draftContent.parse(content)),
    }))
    .filter(({ parts }) => parts.length > 0);
}

/** True in SQL for an open assignment of this reviewer, as the workspace finds it. */
function isOwnOpenAssignment(db: Database, actor: Actor): SQL | undefined {
  return and(
    eq(reviewAssignments.reviewerId, actor.id),
    isNull(reviewAssignments.completedAt),
    isActiveReviewer(db, actor.id),
    hasOpenAccount(serviceReviews.userId),
  );
}

/** Finds an open review of this reviewer, for the screen that hands it back; null for any other. */
export async function findReviewToHandBack(db: Database, actor: Actor, reviewId: string) {
  if (!isUuid(reviewId)) return null;
  const [review] = await db
    .select({
      id: serviceReviews.id,
      serviceType: serviceReviews.serviceType,
      secondLookOf: serviceReviews.secondLookOf,
      dueAt: serviceReviews.dueAt,
      extendedTo: serviceReviews.extendedTo,
    })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewAssignments.reviewId))
    .where(and(eq(serviceReviews.id, reviewId), isOwnOpenAssignment(db, actor)));
  if (!review) return null;
  const dueAt = review.extendedTo ?? review.dueAt;
  return {
    id: review.id,
    service: getBoughtService(review).label,
    dueAt: dueAt && formatShortDateTime(dueAt),
  };
}

/** Finds a draft that is offered to the reviewer of an open review, with its pages; null for any other. */
export async function findOfferedDraft(db: Database, actor: Actor, draftId: string) {
  if (!isUuid(draftId)) return null;
  const [row] = await db
    .select({ draft: handedBackDrafts, review: serviceReviews })
    .from(handedBackDrafts)
    .innerJoin(serviceReviews, eq(serviceReviews.id, handedBackDrafts.reviewId))
    .innerJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .where(
      and(eq(handedBackDrafts.id, draftId), isOwnOpenAssignment(db, actor), isVisible, isUnsettled),
    );
  if (!row) return null;
  const { draft, review } = row;
  return {
    reviewId: review.id,
    isOwn: draft.formerReviewerId === actor.id,
    service: getBoughtService(review).label,
    ...(await getDraftView(db, review, draftContent.parse(draft.content))),
  };
}

const maxListed = 100;
const isOpen = and(ne(serviceReviews.status, "completed"), isNull(serviceReviews.withdrawnAt));

/** Lists the reviews that were handed back and aren't completed, newest first, up to a hundred. */
export async function listHandedBackReviews(db: Database, actor: Actor | null) {
  authorize(actor, "review.oversee");
  const rows = await selectHandedBack(db)
    .where(and(isOpen, hasOpenAccount(serviceReviews.userId)))
    .orderBy(desc(handedBackDrafts.handedBackAt), desc(handedBackDrafts.id))
    .limit(maxListed);
  return rows.map(toHandedBack);
}

/** Returns a draft with its pages, for an admin. @throws {NotFound} once its review is completed or refunded, too. */
export async function getHandedBackDraft(db: Database, actor: Actor | null, draftId: string) {
  authorize(actor, "review.oversee");
  const [row] = isUuid(draftId)
    ? await selectHandedBack(db).where(
        and(eq(handedBackDrafts.id, draftId), isOpen, hasOpenAccount(serviceReviews.userId)),
      )
    : [];
  if (!row)
    throw new NotFound("There is no such draft. It is deleted once its review is completed.");
  return {
    ...toHandedBack(row),
    ...(await getDraftView(db, row.review, draftContent.parse(row.draft.content))),
  };
}

function selectHandedBack(db: Database) {
  return db
    .select({
      draft: handedBackDrafts,
      review: serviceReviews,
      former: profiles.fullName,
      reviewer: reviewAssignments.reviewerName,
    })
    .from(handedBackDrafts)
    .innerJoin(serviceReviews, eq(serviceReviews.id, handedBackDrafts.reviewId))
    .leftJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .leftJoin(profiles, eq(profiles.id, handedBackDrafts.formerReviewerId));
}

function toHandedBack({
  draft,
  review,
  former,
  reviewer,
}: Awaited<ReturnType<typeof selectHandedBack>>[number]) {
  const parts = listDraftParts(draftContent.parse(draft.content));
  return {
    id: draft.id,
    reviewId: review.id,
    service: getBoughtService(review).label,
    due: toDueView(review, now()),
    reason: reasonLabels[draft.reason],
    note: draft.note,
    former: former?.trim() || "Unknown",
    /** The present reviewer; null while it waits for one. */
    reviewer,
    handedBackOn: formatShortDateTime(draft.handedBackAt),
    parts,
    state: describeDraftState(draft, parts),
  };
}

function describeDraftState(
  { reason, takenAt, discardedAt }: typeof handedBackDrafts.$inferSelect,
  parts: string[],
): string {
  if (parts.length === 0) return "Nothing was written.";
  if (takenAt) return `Used by another reviewer on ${formatShortDateTime(takenAt)}.`;
  if (discardedAt) return `Discarded by another reviewer on ${formatShortDateTime(discardedAt)}.`;
  if (reason === "knows_author") return "Only admins can see it.";
  return "The next reviewer can use it.";
}

/** Counts the reviews that were handed back and have no reviewer. */
export async function countReviewsHandedBack(db: Database, actor: Actor | null): Promise<Count> {
  authorize(actor, "review.oversee");
  const isAssigned = db
    .select({ one: sql`1` })
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewId, serviceReviews.id));
  const waiting = await db
    .selectDistinct({ id: serviceReviews.id })
    .from(handedBackDrafts)
    .innerJoin(serviceReviews, eq(serviceReviews.id, handedBackDrafts.reviewId))
    .where(and(isOpen, notExists(isAssigned)))
    .limit(maxListed + 1);
  return { counted: Math.min(waiting.length, maxListed), isMore: waiting.length > maxListed };
}

/** Deletes the drafts of a review. Call it when the review is submitted. */
export async function deleteDraftsOf(tx: Database, reviewId: string): Promise<void> {
  await tx.delete(handedBackDrafts).where(eq(handedBackDrafts.reviewId, reviewId));
}

const maxAge = 30 * day;

/** Deletes drafts that were handed back more than 30 days ago. @returns their number */
export function deleteOldDrafts(db: Database): Promise<number> {
  return deleteRowsInSteps(
    db,
    handedBackDrafts,
    handedBackDrafts.id,
    lt(handedBackDrafts.handedBackAt, new Date(now().getTime() - maxAge)),
  );
}

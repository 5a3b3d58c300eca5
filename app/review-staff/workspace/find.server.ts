import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { buildKeys, countUpTo, type Order, readPage } from "../../platform/lists/list.server.ts";
import type { Direction } from "../../platform/lists/sorts.ts";
import { now } from "../../platform/clock.ts";
import { assignmentsByDue } from "../../reviews/due-dates/due-dates.server.ts";
import { type DueView, toDueView } from "../../reviews/due-dates/due-dates.ts";
import type { ReviewStatus, ServiceType } from "../../reviews/rules.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { hasOpenAccount } from "../../accounts/sealed-accounts.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import type { AssignmentsQuery } from "./dashboard-query.ts";
import { listPageNotices } from "../../annotations/document-pages/page-notices.server.ts";
import { listPages, listScreenshots } from "../../annotations/document-pages/pages.server.ts";
import { withoutAuthor, listRemarks } from "../../annotations/remarks/remarks.server.ts";
import { listPhrases, getScores } from "../../annotations/remarks/scores.server.ts";
import { findEarlierReview } from "../../annotations/second-look/find-second-look.server.ts";
import { findBrief } from "../../reviews/brief/brief.server.ts";
import { isActiveReviewer } from "../../reviews/locks.server.ts";
import { findRating } from "../../reviews/rating/rating.server.ts";
import {
  resolveDisplayModes,
  listHandedFiles,
  listHandedImages,
  listMaterials,
} from "../../reviews/materials.server.ts";
import { toSavedDraft } from "./own-review.server.ts";

export type OwnAssignment = {
  reviewId: string;
  serviceType: ServiceType;
  status: ReviewStatus;
  priority: number;
  submittedAt: Date;
  assignedAt: Date;
  completedAt: Date | null;
  /** The due date, while it is open. */
  due: DueView | null;
  hasDraft: boolean;
};

/**
 * Lists a reviewer's own assignments of one tab; none for a person without the role.
 *
 * @returns `next`, the cursor of the next page, the number in each tab, and `urgent`, the open one that is due first
 */
export async function listOwnAssignments(
  db: Database,
  actor: Actor,
  { tab, sort, direction, after, show }: AssignmentsQuery,
) {
  const isOwn = and(eq(reviewAssignments.reviewerId, actor.id), isActiveReviewer(db, actor.id));
  const inTab = (isOpen: boolean) => and(isOwn, eq(reviewAssignments.isOpen, isOpen));
  const orders: Record<typeof sort, Order<Row>> = {
    assigned: { name: `assigned.${direction}`, keys: latest, direction },
    priority: byPriority[direction],
    due: overdueFirst,
  };
  const [{ rows, next }, pending, completed, [first]] = await Promise.all([
    readPage(orders[sort], { cursor: after, size: show }, (part) =>
      db
        .select(listedAssignment)
        .from(reviewAssignments)
        .where(and(inTab(tab === "pending"), part.where))
        .orderBy(...part.orderBy)
        .limit(part.limit),
    ),
    countUpTo(db, reviewAssignments, inTab(true)),
    countUpTo(db, reviewAssignments, inTab(false)),
    db
      .select(listedAssignment)
      .from(reviewAssignments)
      .where(inTab(true))
      .orderBy(asc(assignmentsByDue.by), asc(reviewAssignments.id))
      .limit(1),
  ]);
  const moment = now();
  const toAssignment = (
    { id: _id, draftSavedAt, shownDueAt: dueAt, ...assignment }: ListedRow,
    isOpen: boolean,
  ): OwnAssignment => ({
    ...assignment,
    due: isOpen ? toDueView({ status: assignment.status, dueAt, extendedTo: null }, moment) : null,
    hasDraft: draftSavedAt !== null,
  });
  return {
    assignments: rows.map((row) => toAssignment(row, tab === "pending")),
    next,
    counts: { pending, completed },
    urgent: first ? toAssignment(first, true) : null,
  };
}

const listedAssignment = {
  id: reviewAssignments.id,
  reviewId: reviewAssignments.reviewId,
  serviceType: reviewAssignments.serviceType,
  status: reviewAssignments.reviewStatus,
  priority: reviewAssignments.priority,
  submittedAt: reviewAssignments.submittedAt,
  assignedAt: reviewAssignments.assignedAt,
  completedAt: reviewAssignments.completedAt,
  draftSavedAt: reviewAssignments.draftSavedAt,
  shownDueAt: reviewAssignments.shownDueAt,
};

type ListedRow = Omit<OwnAssignment, "due" | "hasDraft"> &
  Pick<typeof reviewAssignments.$inferSelect, "id" | "draftSavedAt" | "shownDueAt">;

type Row = Pick<
  typeof reviewAssignments.$inferSelect,
  "id" | "priority" | "assignedAt" | "shownDueAt"
>;

const assignmentId = buildKeys({ id: reviewAssignments.id });
const latest = buildKeys({ assignedAt: reviewAssignments.assignedAt, id: reviewAssignments.id });

const overdueFirst: Order<Row> = {
  name: "due",
  keys: [assignmentsByDue, ...assignmentId],
  direction: "asc",
};

/** In both directions, the latest assignment of a priority comes first. */
const byPriority: Record<Direction, Order<Row>> = {
  desc: {
    name: "priority.desc",
    keys: [...buildKeys({ priority: reviewAssignments.priority }), ...latest],
    direction: "desc",
  },
  asc: {
    name: "priority.asc",
    keys: [
      {
        by: sql`(-${reviewAssignments.priority})`,
        type: "integer",
        of: ({ priority }) => -priority,
      },
      ...latest,
    ],
    direction: "desc",
  },
};

export type Workspace = NonNullable<Awaited<ReturnType<typeof findWorkspace>>>;

/** Checks whether a review is assigned to this person and they have the role now. */
export async function hasAssignedReview(
  db: Database,
  actor: Actor,
  reviewId: string,
): Promise<boolean> {
  if (!isUuid(reviewId)) return false;
  const rows = await db
    .select({ id: reviewAssignments.id })
    .from(reviewAssignments)
    .where(and(isOwnAssignment(db, actor), eq(reviewAssignments.reviewId, reviewId)));
  return rows.length > 0;
}

/** True in SQL for the assignments whose materials a reviewer can see. */
export function isOwnAssignment(db: Database, actor: Actor): SQL | undefined {
  return and(
    eq(reviewAssignments.reviewerId, actor.id),
    isActiveReviewer(db, actor.id),
    isOfOpenAccount,
  );
}

/** True in SQL unless the review's customer closed their account. Reviewers no longer see those reviews. */
const isOfOpenAccount = hasOpenAccount(
  sql`(select ${serviceReviews.userId} from ${serviceReviews} where ${serviceReviews.id} = ${reviewAssignments.reviewId})`,
);

/** Reads a reviewer's own assignment with all parts of the workspace; null for any other. */
export async function findWorkspace(db: Database, actor: Actor, reviewId: string) {
  if (!isUuid(reviewId)) return null;
  const [row] = await db
    .select({
      review: serviceReviews,
      assignment: reviewAssignments,
      customer: profiles.fullName,
    })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewAssignments.reviewId))
    .leftJoin(profiles, eq(profiles.id, serviceReviews.userId))
    .where(and(isOwnAssignment(db, actor), eq(reviewAssignments.reviewId, reviewId)));
  if (!row) return null;
  const { review, assignment, customer } = row;
  const isOpen = review.status !== "completed" && !assignment.completedAt;
  const [earlier, pages, images, files, remarks, scores, brief, rating, phrases] =
    await Promise.all([
      isOpen ? findEarlierReview(db, review) : null,
      listPages(db, review),
      listHandedImages(db, reviewId),
      listHandedFiles(db, reviewId),
      listRemarks(db, reviewId),
      getScores(db, reviewId),
      findBrief(db, reviewId),
      findRating(db, reviewId),
      listPhrases(db, actor),
    ]);
  return {
    reviewId,
    assignmentId: assignment.id,
    customer: customer?.trim() || "Unknown User",
    serviceType: review.serviceType,
    secondLookOf: review.secondLookOf,
    status: review.status,
    priority: review.priority,
    submittedAt: review.createdAt,
    assignedAt: assignment.assignedAt,
    completedAt: assignment.completedAt,
    due: isOpen ? toDueView(review, now()) : null,
    isOpen,
    /** The unsubmitted feedback. */
    draft: toSavedDraft(assignment.draftFeedback),
    /** The submitted feedback; empty until then. */
    feedback: review.reviewerFeedback ?? "",
    materials: await resolveDisplayModes(db, listMaterials(review)),
    images,
    files,
    pages,
    notices: listPageNotices(pages),
    screenshots: await listScreenshots(db, images),
    remarks: remarks.map(withoutAuthor),
    // By former reviewers.
    earlierRemarks: remarks.filter(({ authorId }) => authorId !== actor.id).length,
    scores,
    brief,
    rating,
    phrases,
    /** For an open second look: the review that it is about. */
    earlier,
  };
}

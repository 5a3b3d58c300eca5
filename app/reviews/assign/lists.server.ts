import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { now, wholeDaysBetween } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { countUpTo, type Key, type Order, readPage } from "../../platform/list.server.ts";
import { type Direction, writeSort } from "../../platform/lists.ts";
import { assignmentsByDue, reviewsByDue } from "../clock/due-dates.server.ts";
import type { ServiceType } from "../rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import {
  isAssigned,
  isPending,
  listed,
  type ListedReview,
  listedReview,
  ofType,
  readAssignments,
  reviewerName,
  type ReviewsPage,
  rowsPerPage,
  userName,
} from "./listed-review.server.ts";
import { type AssignedSort, firstAssignedSort } from "./reviews-query.ts";

/**
 * Lists the reviews that wait for a reviewer: the most urgent first, then the oldest; or sorted by when they are
 * due, which is the only other way.
 */
export async function listPendingReviews(
  db: Database,
  actor: Actor | null,
  { type = null, sort = firstAssignedSort, after = null }: Omit<AssignedQuery, "reviewer">,
): Promise<ReviewsPage<ListedReview>> {
  authorize(actor, "review.oversee");
  const filter = and(isPending, ofType(serviceReviews, type));
  const order = sort.by === "due" ? queueByDue(sort.direction) : queue;
  const [{ rows, ...beside }, total] = await Promise.all([
    readPage(order, { cursor: after, size: rowsPerPage }, (part) =>
      db
        .select(listed)
        .from(serviceReviews)
        .where(and(filter, part.where))
        .orderBy(...part.orderBy)
        .limit(part.limit),
    ),
    countUpTo(db, serviceReviews, filter),
  ]);
  return { rows: rows.map(listedReview), total, ...beside };
}

type Waiting = {
  priority: number;
  submittedAt: Date;
  dueAt: Date | null;
  extendedTo: Date | null;
  id: string;
};

const reviewId: Key<Waiting> = { by: serviceReviews.id, type: "uuid", of: ({ id }) => id };

const queue: Order<Waiting> = {
  keys: [
    {
      // As the index of the queue has it.
      by: sql`(-${serviceReviews.priority})`,
      type: "integer",
      of: ({ priority }) => -priority,
    },
    { by: serviceReviews.createdAt, type: "timestamptz", of: ({ submittedAt }) => submittedAt },
    reviewId,
  ],
  direction: "asc",
};

function queueByDue(direction: Direction): Order<Waiting> {
  return { name: writeSort({ by: "due", direction }), keys: [reviewsByDue, reviewId], direction };
}

export type AssignedReview = ListedReview & {
  userName: string;
  reviewerId: string;
  assignedTo: string;
  daysAssigned: number;
  daysSincePurchase: number;
};

export type AssignedQuery = {
  type?: ServiceType | null;
  /** Only this reviewer's; null for all reviewers'. */
  reviewer?: string | null;
  sort?: AssignedSort;
  after?: string | null;
};

/** Lists the reviews that somebody works on, also of those who lost the role; the longest assigned first. */
export async function listAssignedReviews(
  db: Database,
  actor: Actor | null,
  { type = null, reviewer = null, sort = firstAssignedSort, after = null }: AssignedQuery,
): Promise<ReviewsPage<AssignedReview>> {
  authorize(actor, "review.oversee");
  const filter = and(isAssigned, ofType(reviewAssignments, type), ofReviewer(reviewer));
  const [{ rows, ...beside }, total] = await Promise.all([
    readPage(orderOf(sort), { cursor: after, size: rowsPerPage }, ({ where, ...part }) =>
      readAssignments(db, assigned, { where: and(filter, where), ...part }),
    ),
    countUpTo(db, reviewAssignments, filter),
  ]);
  const today = now();
  return {
    rows: rows.map((row) => ({
      ...listedReview(row),
      userName: row.userName,
      reviewerId: row.reviewerId,
      assignedTo: row.assignedTo,
      daysAssigned: wholeDaysBetween(row.assignedAt, today),
      daysSincePurchase: wholeDaysBetween(row.submittedAt, today),
    })),
    total,
    ...beside,
  };
}

const assigned = {
  assignedAt: reviewAssignments.assignedAt,
  reviewerId: reviewAssignments.reviewerId,
  userName,
  assignedTo: reviewerName,
  sortedBuyer: reviewAssignments.buyerName,
  sortedReviewer: reviewAssignments.reviewerName,
  shownDueAt: reviewAssignments.shownDueAt,
};

type Row = {
  assignmentId: string;
  serviceType: string;
  assignedAt: Date;
  submittedAt: Date;
  sortedBuyer: string;
  sortedReviewer: string;
  shownDueAt: Date | null;
};

function orderOf({ by, direction }: AssignedSort): Order<Row> {
  const opposite = direction === "asc" ? "desc" : "asc";
  return {
    name: writeSort({ by, direction }),
    keys: [
      keys[by],
      { by: reviewAssignments.id, type: "uuid", of: ({ assignmentId }) => assignmentId },
    ],
    // The more days, the earlier the moment.
    direction: by.startsWith("days_") ? opposite : direction,
  };
}

const assignedAt: Key<Row> = {
  by: reviewAssignments.assignedAt,
  type: "timestamptz",
  of: (row) => row.assignedAt,
};
const submittedAt: Key<Row> = {
  by: reviewAssignments.submittedAt,
  type: "timestamptz",
  of: (row) => row.submittedAt,
};

const keys: Record<AssignedSort["by"], Key<Row>> = {
  service_type: {
    by: reviewAssignments.serviceType,
    type: "text",
    of: ({ serviceType }) => serviceType,
  },
  user: {
    by: sql`${reviewAssignments.buyerName} collate "und-x-icu"`,
    type: "text",
    of: ({ sortedBuyer }) => sortedBuyer,
  },
  assigned_to: {
    by: sql`${reviewAssignments.reviewerName} collate "und-x-icu"`,
    type: "text",
    of: ({ sortedReviewer }) => sortedReviewer,
  },
  days_assigned: assignedAt,
  assigned_at: assignedAt,
  days_since_purchase: submittedAt,
  created_at: submittedAt,
  due: assignmentsByDue,
};

function ofReviewer(reviewer: string | null): SQL | undefined {
  if (reviewer === null) return undefined;
  return isUuid(reviewer) ? eq(reviewAssignments.reviewerId, reviewer) : sql`false`;
}

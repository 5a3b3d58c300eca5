import { aliasedTable, and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn, SelectedFields } from "drizzle-orm/pg-core";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { now, countDaysBetween } from "../../platform/clock.ts";
import { type Database, isUuid, createPreparedQuery } from "../../platform/database.server.ts";
import {
  buildKeys,
  countColumn,
  countUpTo,
  type ListPage,
  type Order,
  type Part,
  readFound,
  readPageOrLast,
} from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { type Direction, writeSort } from "../../platform/lists/sorts.ts";
import {
  assignmentsByDue,
  countDueAssignments,
  dueColumns,
  type DueTally,
  reviewsByDue,
} from "../../reviews/due-dates/due-dates.server.ts";
import { type DueView, toDueView } from "../../reviews/due-dates/due-dates.ts";
import { type Material, findPreferredMaterial } from "../../reviews/materials.server.ts";
import { listWishLabels, type Wish } from "../../reviews/fields-and-languages.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { type AssignedSort, firstAssignedSort } from "./reviews-query.ts";
import { matchesAssignmentSearch, matchesReviewSearch } from "./search-reviews.server.ts";

/** The number of rows on a page of the admin's lists. */
export const rowsPerPage = 50;

/** A page of one of the admin's lists; `total` counts all matches of the filters. */
type ReviewsPage<Row> = ListPage<Row> & { total: Count };

/** True in SQL for a review that waits for a reviewer. */
const isPending = sql`${serviceReviews.status} = 'pending' and ${serviceReviews.withdrawnAt} is null`;
/** True in SQL for an assignment that is being worked on. */
const isAssigned = sql`${reviewAssignments.completedAt} is null and ${reviewAssignments.reviewStatus} = 'under_review'`;
/** True in SQL for an assignment that was submitted. */
export const isCompleted = sql`${reviewAssignments.completedAt} is not null and ${reviewAssignments.reviewStatus} = 'completed'`;

/** Counts the reviews of each of the three tabs. */
export async function countReviews(db: Database, actor: Actor | null) {
  authorize(actor, "review.oversee");
  const [counts] = await countsQuery(db).execute();
  return counts!;
}

/** Counts the reviews that wait for a reviewer, up to a thousand. */
export async function countPendingReviews(db: Database, actor: Actor | null): Promise<Count> {
  authorize(actor, "review.oversee");
  return countUpTo(db, serviceReviews, isPending);
}

const countsQuery = createPreparedQuery((db) =>
  db
    .select({
      pending: countColumn(db, serviceReviews, isPending),
      assigned: countColumn(db, reviewAssignments, isAssigned),
      completed: countColumn(db, reviewAssignments, isCompleted),
    })
    .from(sql`(select) as one`)
    .prepare("counts_of_reviews"),
);

/** The fields that every review list shows. */
type ListedReview = {
  id: string;
  serviceType: ServiceType;
  /** The earlier review of a second look. */
  secondLookOf: string | null;
  /** The person who completed that earlier review. */
  earlierReviewerId: string | null;
  /** The field and the language that the customer wished for; empty without a wish. */
  wishes: string[];
  userId: string;
  resource: Material | null;
  priority: number;
  submittedAt: Date;
  /** The due date, until it is completed. */
  due: DueView | null;
};

/** The columns that make a {@link ListedReview}. */
const listed = {
  id: serviceReviews.id,
  serviceType: serviceReviews.serviceType,
  secondLookOf: serviceReviews.secondLookOf,
  earlierReviewerId: sql<string | null>`(
    select earlier.reviewer_id from review_assignments as earlier
    where earlier.review_id = ${serviceReviews.secondLookOf} and earlier.completed_at is not null)`,
  field: sql<Wish["field"]>`(
    select brief.wished_field from review_briefs as brief where brief.review_id = ${serviceReviews.id})`,
  language: sql<Wish["language"]>`(
    select brief.wished_language from review_briefs as brief where brief.review_id = ${serviceReviews.id})`,
  userId: serviceReviews.userId,
  resumeFilePath: serviceReviews.resumeFilePath,
  portfolioUrl: serviceReviews.portfolioUrl,
  portfolioFilePath: serviceReviews.portfolioFilePath,
  priority: serviceReviews.priority,
  submittedAt: serviceReviews.createdAt,
  status: serviceReviews.status,
  ...dueColumns,
};

type ListedRow = Omit<ListedReview, "resource" | "due" | "wishes"> &
  Wish &
  Parameters<typeof findPreferredMaterial>[0] &
  Parameters<typeof toDueView>[0];

export function toListedReview(row: ListedRow): ListedReview {
  const { id, serviceType, secondLookOf, earlierReviewerId, userId, priority, submittedAt } = row;
  const [resource, due] = [findPreferredMaterial(row), toDueView(row, now())];
  const look = { secondLookOf, earlierReviewerId };
  const wishes = listWishLabels(row);
  return { id, serviceType, ...look, wishes, userId, priority, submittedAt, resource, due };
}

/** Limits a query to one kind of review; null means all. Both tables have an indexed column for it. */
function hasServiceType(
  table: typeof serviceReviews | typeof reviewAssignments,
  type: ServiceType | null,
): SQL | undefined {
  return type ? eq(table.serviceType, type) : undefined;
}

/** The names of a review's buyer and reviewer; either may be missing. */
const buyer = aliasedTable(profiles, "buyer");
const holder = aliasedTable(profiles, "holder");

export const userName = sql<string>`coalesce(nullif(trim(${buyer.fullName}), ''), 'Unknown User')`;
export const reviewerName = sql<string>`coalesce(nullif(trim(${holder.fullName}), ''), 'Unknown')`;

/**
 * Reads a part of the assignments with their reviews.
 *
 * @param columns in addition to those of every list
 * @param part with its condition and order on columns of assignments only, so that an index serves it
 * @param search limits them to reviews that it finds
 */
export function selectAssignments<Columns extends SelectedFields>(
  db: Database,
  columns: Columns,
  part: Part,
  search = "",
) {
  const isMatch = matchesAssignmentSearch(search);
  const select = (source: typeof reviewAssignments, page: Part) =>
    selectJoinedAssignments(db, source, columns, page);
  return isMatch
    ? readFound(db, reviewAssignments, isMatch, part, select)
    : select(reviewAssignments, part);
}

function selectJoinedAssignments<Columns extends SelectedFields>(
  db: Database,
  source: typeof reviewAssignments,
  columns: Columns,
  { where, orderBy, limit }: Part,
) {
  return db
    .select({ ...listed, assignmentId: reviewAssignments.id, ...columns })
    .from(source)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewAssignments.reviewId))
    .leftJoin(buyer, eq(buyer.id, serviceReviews.userId))
    .leftJoin(holder, eq(holder.id, reviewAssignments.reviewerId))
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
}

/**
 * Lists the reviews that wait for a reviewer: the most urgent first, then the oldest. They can also be sorted by due
 * date, but by nothing else.
 */
export async function listPendingReviews(
  db: Database,
  actor: Actor | null,
  {
    search = "",
    type = null,
    sort = firstAssignedSort,
    after = null,
  }: Omit<AssignedQuery, "reviewer">,
): Promise<ReviewsPage<ListedReview>> {
  authorize(actor, "review.oversee");
  const filter = and(isPending, hasServiceType(serviceReviews, type));
  const isMatch = matchesReviewSearch(search);
  const order = sort.by === "due" ? buildDueOrder(sort.direction) : queue;
  const [{ rows, ...beside }, total] = await Promise.all([
    readPageOrLast(order, { cursor: after, size: rowsPerPage }, ({ where, ...page }) => {
      const part = { ...page, where: and(filter, where) };
      return isMatch
        ? readFound(db, serviceReviews, isMatch, part, (source, matches) =>
            selectPendingReviews(db, source, matches),
          )
        : selectPendingReviews(db, serviceReviews, part);
    }),
    countUpTo(db, serviceReviews, and(filter, isMatch)),
  ]);
  return { rows: rows.map(toListedReview), total, ...beside };
}

function selectPendingReviews(
  db: Database,
  source: typeof serviceReviews,
  { where, orderBy, limit }: Part,
) {
  return db
    .select(listed)
    .from(source)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
}

type Waiting = {
  priority: number;
  submittedAt: Date;
  dueAt: Date | null;
  extendedTo: Date | null;
  id: string;
};

const reviewId = buildKeys({ id: serviceReviews.id });

const queue: Order<Waiting> = {
  keys: [
    {
      // The same expression as in the queue's index.
      by: sql`(-${serviceReviews.priority})`,
      type: "integer",
      of: ({ priority }) => -priority,
    },
    ...buildKeys({ submittedAt: serviceReviews.createdAt, id: serviceReviews.id }),
  ],
  direction: "asc",
};

function buildDueOrder(direction: Direction): Order<Waiting> {
  return {
    name: writeSort({ by: "due", direction }),
    keys: [reviewsByDue, ...reviewId],
    direction,
  };
}

export type AssignedQuery = {
  search?: string;
  type?: ServiceType | null;
  /** Limits the list to this reviewer; null lists all. */
  reviewer?: string | null;
  sort?: AssignedSort;
  after?: string | null;
};

/** Lists reviews being worked on, including those of people who lost the role; the longest assigned first. */
export async function listAssignedReviews(
  db: Database,
  actor: Actor | null,
  { search, sort = firstAssignedSort, after = null, ...filters }: AssignedQuery,
) {
  authorize(actor, "review.oversee");
  const filter = buildAssignedFilter(filters);
  const [{ rows, ...beside }, total] = await Promise.all([
    readPageOrLast(
      buildAssignedOrder(sort),
      { cursor: after, size: rowsPerPage },
      ({ where, ...part }) =>
        selectAssignments(db, assigned, { where: and(filter, where), ...part }, search),
    ),
    countUpTo(db, reviewAssignments, and(filter, matchesAssignmentSearch(search))),
  ]);
  const today = now();
  return {
    rows: rows.map((row) => ({
      ...toListedReview(row),
      userName: row.userName,
      reviewerId: row.reviewerId,
      assignedTo: row.assignedTo,
      daysAssigned: countDaysBetween(row.assignedAt, today),
      daysSincePurchase: countDaysBetween(row.submittedAt, today),
    })),
    total,
    ...beside,
  };
}

/** Counts the overdue reviews of {@link listAssignedReviews}, and those due later today. */
export async function countDueAssigned(
  db: Database,
  actor: Actor | null,
  { search, ...filters }: AssignedQuery,
): Promise<DueTally> {
  authorize(actor, "review.oversee");
  const isListed = and(buildAssignedFilter(filters), matchesAssignmentSearch(search));
  return countDueAssignments(db, isListed);
}

const maxOverdue = 3;

/** Lists up to three assigned reviews that are overdue, the longest overdue first. */
export async function listMostOverdue(db: Database, actor: Actor | null) {
  authorize(actor, "review.oversee");
  const rows = await selectAssignments(
    db,
    { userName, assignedTo: reviewerName },
    { where: isAssigned, orderBy: [asc(assignmentsByDue.by)], limit: maxOverdue },
  );
  const moment = now();
  return rows
    .map((row) => ({
      id: row.id,
      userName: row.userName,
      assignedTo: row.assignedTo,
      due: toDueView(row, moment),
    }))
    .filter(({ due }) => due?.isOverdue);
}

function buildAssignedFilter({ type = null, reviewer = null }: AssignedQuery): SQL | undefined {
  return and(isAssigned, hasServiceType(reviewAssignments, type), hasReviewer(reviewer));
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
  serviceType: ServiceType;
  assignedAt: Date;
  submittedAt: Date;
  sortedBuyer: string;
  sortedReviewer: string;
  shownDueAt: Date | null;
};

function buildAssignedOrder({ by, direction }: AssignedSort): Order<Row> {
  const opposite = direction === "asc" ? "desc" : "asc";
  return {
    name: writeSort({ by, direction }),
    keys: [...keys[by], ...buildKeys({ assignmentId: reviewAssignments.id })],
    // More days mean an earlier time.
    direction: by.startsWith("days_") ? opposite : direction,
  };
}

const assignedAt = buildKeys({ assignedAt: reviewAssignments.assignedAt });
const submittedAt = buildKeys({ submittedAt: reviewAssignments.submittedAt });

const buildNameSort = (name: PgColumn) => sql`${name} collate "und-x-icu"`;

const keys: Record<AssignedSort["by"], Order<Row>["keys"]> = {
  service_type: buildKeys({ serviceType: reviewAssignments.serviceType }),
  user: [
    { by: buildNameSort(reviewAssignments.buyerName), type: "text", of: (row) => row.sortedBuyer },
  ],
  assigned_to: [
    {
      by: buildNameSort(reviewAssignments.reviewerName),
      type: "text",
      of: (row) => row.sortedReviewer,
    },
  ],
  days_assigned: assignedAt,
  assigned_at: assignedAt,
  days_since_purchase: submittedAt,
  created_at: submittedAt,
  due: [assignmentsByDue],
};

function hasReviewer(reviewer: string | null): SQL | undefined {
  if (reviewer === null) return undefined;
  return isUuid(reviewer) ? eq(reviewAssignments.reviewerId, reviewer) : sql`false`;
}

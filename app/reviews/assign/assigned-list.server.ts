import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { now, wholeDaysBetween } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { readCursor } from "../../platform/list.server.ts";
import { isUuid } from "../../platform/uuid.ts";
import type { ServiceType } from "../rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { type AssignedSort, firstAssignedSort, writeAssignedSort } from "./assigned-sort.ts";
import {
  countAssignments,
  readAssignments,
  reviewerName,
  userName,
} from "./assignment-rows.server.ts";
import {
  atMoment,
  cursorMoment,
  type ListedReview,
  listedReview,
  type ListPage,
  ofType,
  pageOf,
} from "./listed-review.server.ts";

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
): Promise<ListPage<AssignedReview>> {
  authorize(actor, "review.oversee");
  const filter = and(
    isNull(reviewAssignments.completedAt),
    eq(serviceReviews.status, "under_review"),
    ofType(type),
    ofReviewer(reviewer),
  );
  const column = sortColumns[sort.by];
  const isUp = (sort.direction === "asc") !== column.runsBackwards;
  const direction = sql.raw(isUp ? "asc" : "desc");
  const [rows, total] = await Promise.all([
    readAssignments(
      db,
      { ...assigned, sortValue: sql<string | number>`${column.value}` },
      {
        where: and(filter, behind(after, sort, isUp)),
        order: [sql`${column.order} ${direction}`, sql`${reviewAssignments.id} ${direction}`],
      },
    ),
    countAssignments(db, filter),
  ]);
  const { shown, next } = pageOf(rows, ({ sortValue, assignmentId }) => [
    writeAssignedSort(sort),
    sortValue,
    assignmentId,
  ]);
  const today = now();
  return {
    rows: shown.map((row) => ({
      ...listedReview(row),
      userName: row.userName,
      reviewerId: row.reviewerId,
      assignedTo: row.assignedTo,
      daysAssigned: wholeDaysBetween(row.assignedAt, today),
      daysSincePurchase: wholeDaysBetween(row.submittedAt, today),
    })),
    next,
    total,
  };
}

const assigned = {
  assignedAt: reviewAssignments.assignedAt,
  reviewerId: reviewAssignments.reviewerId,
  userName,
  assignedTo: reviewerName,
};

type SortColumn = {
  order: SQL;
  /** What a cursor holds of it. */
  value: SQL;
  kind: "text" | "moment";
  /** The more days, the earlier the moment. */
  runsBackwards: boolean;
};

const text = (words: SQL): SortColumn => ({
  order: sql`${words} collate "und-x-icu"`,
  value: words,
  kind: "text",
  runsBackwards: false,
});
const moment = (at: SQL, runsBackwards: boolean): SortColumn => ({
  order: at,
  value: sql`(extract(epoch from ${at}) * 1000)::float8`,
  kind: "moment",
  runsBackwards,
});
const assignedAt = sql`${reviewAssignments.assignedAt}`;
const createdAt = sql`${serviceReviews.createdAt}`;

const sortColumns: Record<AssignedSort["by"], SortColumn> = {
  // Names of ours, whose order is the same in every alphabet.
  service_type: {
    ...text(sql`${serviceReviews.serviceType}`),
    order: sql`${serviceReviews.serviceType} collate "C"`,
  },
  user: text(userName),
  assigned_to: text(reviewerName),
  days_assigned: moment(assignedAt, true),
  days_since_purchase: moment(createdAt, true),
  created_at: moment(createdAt, false),
  assigned_at: moment(assignedAt, false),
};

const textCursor = z.tuple([z.string(), z.string(), z.guid()]);
const momentCursor = z.tuple([z.string(), cursorMoment, z.guid()]);

/** A cursor of another sort is none. */
function behind(after: string | null, sort: AssignedSort, isUp: boolean): SQL | undefined {
  const { order, kind } = sortColumns[sort.by];
  const place = readCursor<z.ZodType<[string, string | number, string]>>(
    after,
    kind === "text" ? textCursor : momentCursor,
  );
  if (place?.[0] !== writeAssignedSort(sort)) return undefined;
  const value = typeof place[1] === "number" ? atMoment(place[1]) : sql`${place[1]}::text`;
  return sql`(${order}, ${reviewAssignments.id}) ${sql.raw(isUp ? ">" : "<")} (${value}, ${place[2]}::uuid)`;
}

function ofReviewer(reviewer: string | null): SQL | undefined {
  if (reviewer === null) return undefined;
  return isUuid(reviewer) ? eq(reviewAssignments.reviewerId, reviewer) : sql`false`;
}

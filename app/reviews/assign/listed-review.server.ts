import { aliasedTable, eq, type SQL, sql } from "drizzle-orm";
import type { SelectedFields } from "drizzle-orm/pg-core";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { countUpTo, type ListPage, type Part } from "../../platform/list.server.ts";
import type { Count } from "../../platform/lists.ts";
import { dueColumns } from "../clock/due-dates.server.ts";
import { type ShownDue, shownDue } from "../clock/due-dates.ts";
import { type Material, preferredMaterial } from "../materials.ts";
import type { ServiceType } from "../rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";

/** How many rows a page of the admin's lists has. */
export const rowsPerPage = 50;

/** A page of one of the admin's lists; `total` counts what its filters find. */
export type ReviewsPage<Row> = ListPage<Row> & { total: Count };

/** Waits for a reviewer. */
export const isPending = sql`${serviceReviews.status} = 'pending' and ${serviceReviews.withdrawnAt} is null`;
/** Somebody works on it. */
export const isAssigned = sql`${reviewAssignments.completedAt} is null and ${reviewAssignments.reviewStatus} = 'under_review'`;
/** It was submitted. */
export const isCompleted = sql`${reviewAssignments.completedAt} is not null and ${reviewAssignments.reviewStatus} = 'completed'`;

/** Counts the three lists whole, for their tabs. */
export async function countReviews(db: Database, actor: Actor | null) {
  authorize(actor, "review.oversee");
  const [pending, assigned, completed] = await Promise.all([
    countUpTo(db, serviceReviews, isPending),
    countUpTo(db, reviewAssignments, isAssigned),
    countUpTo(db, reviewAssignments, isCompleted),
  ]);
  return { pending, assigned, completed };
}

/** What every list of reviews shows of one. */
export type ListedReview = {
  id: string;
  serviceType: ServiceType;
  userId: string;
  resource: Material | null;
  priority: number;
  submittedAt: Date;
  /** Until when it is promised, while it is not completed. */
  due: ShownDue | null;
};

/** The columns that make a {@link ListedReview}. */
export const listed = {
  id: serviceReviews.id,
  serviceType: serviceReviews.serviceType,
  userId: serviceReviews.userId,
  resumeFilePath: serviceReviews.resumeFilePath,
  portfolioUrl: serviceReviews.portfolioUrl,
  portfolioFilePath: serviceReviews.portfolioFilePath,
  priority: serviceReviews.priority,
  submittedAt: serviceReviews.createdAt,
  status: serviceReviews.status,
  ...dueColumns,
};

type ListedRow = Omit<ListedReview, "resource" | "due"> &
  Parameters<typeof preferredMaterial>[0] &
  Parameters<typeof shownDue>[0];

export function listedReview(row: ListedRow): ListedReview {
  const { id, serviceType, userId, priority, submittedAt } = row;
  const [resource, due] = [preferredMaterial(row), shownDue(row, now())];
  return { id, serviceType, userId, priority, submittedAt, resource, due };
}

/** Only this kind of review; null is all. Each table has the column, and indexes beside it. */
export function ofType(
  table: typeof serviceReviews | typeof reviewAssignments,
  type: ServiceType | null,
): SQL | undefined {
  return type ? eq(table.serviceType, type) : undefined;
}

/** Who bought a review and who has it, by name; either may have none. */
const buyer = aliasedTable(profiles, "buyer");
const holder = aliasedTable(profiles, "holder");

export const userName = sql<string>`coalesce(nullif(trim(${buyer.fullName}), ''), 'Unknown User')`;
export const reviewerName = sql<string>`coalesce(nullif(trim(${holder.fullName}), ''), 'Unknown')`;

/**
 * Reads a part of the assignments with their reviews.
 *
 * @param columns beside those that every list has
 * @param part its condition and order are on columns of assignments alone, so that an index gives them
 */
export function readAssignments<Columns extends SelectedFields>(
  db: Database,
  columns: Columns,
  { where, orderBy, limit }: Part,
) {
  return db
    .select({ ...listed, assignmentId: reviewAssignments.id, ...columns })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewAssignments.reviewId))
    .leftJoin(buyer, eq(buyer.id, serviceReviews.userId))
    .leftJoin(holder, eq(holder.id, reviewAssignments.reviewerId))
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
}

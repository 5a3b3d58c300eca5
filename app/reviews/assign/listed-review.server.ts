import { eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { countUpTo, type ListPage } from "../../platform/list.server.ts";
import type { Count } from "../../platform/lists.ts";
import { type Material, preferredMaterial } from "../materials.ts";
import type { ServiceType } from "../rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";

/** How many rows a page of the admin's lists has. */
export const rowsPerPage = 50;

/** A page of one of the admin's lists; `total` counts what its filters find. */
export type ReviewsPage<Row> = ListPage<Row> & { total: Count };

/** Waits for a reviewer. */
export const isPending = sql`${serviceReviews.status} = 'pending'`;
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
};

type ListedRow = Omit<ListedReview, "resource"> & Parameters<typeof preferredMaterial>[0];

export function listedReview(row: ListedRow): ListedReview {
  const { id, serviceType, userId, priority, submittedAt } = row;
  return { id, serviceType, userId, priority, submittedAt, resource: preferredMaterial(row) };
}

/** Only this kind of review; null is all. Each table has the column, and indexes beside it. */
export function ofType(
  table: typeof serviceReviews | typeof reviewAssignments,
  type: ServiceType | null,
): SQL | undefined {
  return type ? eq(table.serviceType, type) : undefined;
}

import { aliasedTable, count, eq, type SQL, sql } from "drizzle-orm";
import type { SelectedFields } from "drizzle-orm/pg-core";
import { profiles } from "../../accounts/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { listed, rowsPerPage } from "./listed-review.server.ts";

/** Who bought a review and who has it, by name; either may have none. */
const buyer = aliasedTable(profiles, "buyer");
const holder = aliasedTable(profiles, "holder");

const ofItsReview = eq(serviceReviews.id, reviewAssignments.reviewId);
const ofItsBuyer = eq(buyer.id, serviceReviews.userId);
const ofItsHolder = eq(holder.id, reviewAssignments.reviewerId);

/** Names as they are shown, so that sorting goes by what one sees. */
export const userName = sql<string>`coalesce(nullif(trim(${buyer.fullName}), ''), 'Unknown User')`;
export const reviewerName = sql<string>`coalesce(nullif(trim(${holder.fullName}), ''), 'Unknown')`;

/**
 * Reads a page of assignments with their reviews, and one row more where there is another page.
 *
 * @param columns beside those that every list has
 */
export function readAssignments<Columns extends SelectedFields>(
  db: Database,
  columns: Columns,
  { where, order }: { where: SQL | undefined; order: SQL[] },
) {
  return db
    .select({ ...listed, assignmentId: reviewAssignments.id, ...columns })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, ofItsReview)
    .leftJoin(buyer, ofItsBuyer)
    .leftJoin(holder, ofItsHolder)
    .where(where)
    .orderBy(...order)
    .limit(rowsPerPage + 1);
}

/** How many there are on all pages. */
export async function countAssignments(db: Database, where: SQL | undefined): Promise<number> {
  const [counted] = await db
    .select({ total: count() })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, ofItsReview)
    .where(where);
  return counted?.total ?? 0;
}

import { aliasedTable, eq, sql } from "drizzle-orm";
import type { SelectedFields } from "drizzle-orm/pg-core";
import { profiles } from "../../accounts/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Part } from "../../platform/list.server.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { listed } from "./listed-review.server.ts";

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

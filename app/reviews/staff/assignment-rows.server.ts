import { aliasedTable, eq, sql } from "drizzle-orm";
import { profiles } from "../../accounts/tables.server.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";

/** Who bought a review and who has it, by name; either may have none. */
export const buyer = aliasedTable(profiles, "buyer");
export const holder = aliasedTable(profiles, "holder");

export const ofItsReview = eq(serviceReviews.id, reviewAssignments.reviewId);
export const ofItsBuyer = eq(buyer.id, serviceReviews.userId);
export const ofItsHolder = eq(holder.id, reviewAssignments.reviewerId);

/** Names as they are shown, so that sorting goes by what one sees. */
export const userName = sql<string>`coalesce(nullif(trim(${buyer.fullName}), ''), 'Unknown User')`;
export const reviewerName = sql<string>`coalesce(nullif(trim(${holder.fullName}), ''), 'Unknown')`;

import { or, type SQL, sql } from "drizzle-orm";
import { containsText, hasIdStart } from "../../platform/lists/list.server.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";

/**
 * Matches reviews by a part of the customer's name or email, or by the first characters of the review's or the
 * customer's id. Returns undefined for an empty search, which finds all.
 */
export function matchesReviewSearch(search = ""): SQL | undefined {
  if (!search) return undefined;
  return or(
    containsText(serviceReviews.searchText, search),
    hasIdStart(serviceReviews.id, search),
    hasIdStart(serviceReviews.userId, search),
  );
}

/** Matches assignments of reviews that the search finds. */
export function matchesAssignmentSearch(search = ""): SQL | undefined {
  const isMatch = matchesReviewSearch(search);
  return (
    isMatch &&
    sql`${reviewAssignments.reviewId} in (select ${serviceReviews.id} from ${serviceReviews} where ${isMatch})`
  );
}

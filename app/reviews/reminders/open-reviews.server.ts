import { and, eq, gt, isNotNull, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { users } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";

/** Who did not act on a review for so long does not on one more mail; mails are remembered a little longer. */
const remindedFor = 21 * day;

/** A review that is not ready, of whose time at least half is over. */
export type OpenReview = Awaited<ReturnType<typeof openReviews>>[number];

const promisedFor =
  sql<Date>`coalesce(${serviceReviews.extendedTo}, ${serviceReviews.dueAt})`.mapWith(
    serviceReviews.dueAt,
  );

/**
 * Those of whose time at least half is over, and on which somebody may still act.
 *
 * @param which of them; all where none is said
 */
export function openReviews(db: Database, which: SQL | undefined) {
  const moment = now();
  const { createdAt } = serviceReviews;
  return db
    .select({
      id: serviceReviews.id,
      buyer: users.email,
      serviceType: serviceReviews.serviceType,
      boughtAt: createdAt,
      dueAt: promisedFor,
      assignmentId: reviewAssignments.id,
      assignedAt: reviewAssignments.assignedAt,
      reviewerId: reviewAssignments.reviewerId,
      reviewerName: reviewAssignments.reviewerName,
    })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .leftJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .where(
      and(
        which,
        ne(serviceReviews.status, "completed"),
        isNotNull(serviceReviews.dueAt),
        isNull(serviceReviews.withdrawnAt),
        lte(sql`${createdAt} + (${promisedFor} - ${createdAt}) / 2`, moment),
        gt(promisedFor, new Date(moment.getTime() - remindedFor)),
      ),
    )
    .$dynamic();
}

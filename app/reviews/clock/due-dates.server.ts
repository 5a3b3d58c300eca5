import { eq, sql } from "drizzle-orm";
import type { PurchaseFact } from "../../payments/payments.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Key } from "../../platform/list.server.ts";
import { dueOrNever, reviewAssignments, serviceReviews } from "../tables.server.ts";
import { shownDue, shownDueAt } from "./due-dates.ts";

/** The columns that `shownDue` makes words of, but for the status. */
export const dueColumns = {
  dueAt: serviceReviews.dueAt,
  extendedTo: serviceReviews.extendedTo,
  withdrawnAt: serviceReviews.withdrawnAt,
};

const never = new Date("9999-12-31T00:00:00Z");

/** What a list of reviews by due date is ordered by, as their index has it. */
export const reviewsByDue: Key<{ dueAt: Date | null; extendedTo: Date | null }> = {
  by: dueOrNever(sql`coalesce(${serviceReviews.extendedTo}, ${serviceReviews.dueAt})`),
  type: "timestamptz",
  of: (row) => shownDueAt(row) ?? never,
};

/** The same for lists of assignments. */
export const assignmentsByDue: Key<{ shownDueAt: Date | null }> = {
  by: dueOrNever(reviewAssignments.shownDueAt),
  type: "timestamptz",
  of: (row) => row.shownDueAt ?? never,
};

/** Tells a buyer whose payment has just succeeded when the review is due; nothing of one that has no date. */
export async function describePaidReview(db: Database, orderId: string): Promise<PurchaseFact[]> {
  const [review] = await db
    .select({ status: serviceReviews.status, ...dueColumns })
    .from(serviceReviews)
    .where(eq(serviceReviews.orderId, orderId));
  const due = review && shownDue(review, now());
  return due ? [{ name: "Your review", words: `${due.due}, ${due.left}` }] : [];
}

import { and, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { hasOpenAccount } from "../../accounts/sealed-accounts.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { followUpQuestions } from "./tables.server.ts";

/**
 * Counts the questions that were due since a date and are answered or late, and those answered in time. Questions
 * about refunded reviews and of closed accounts don't count.
 */
export async function countAnswersOnTime(
  db: Database,
  since: Date,
): Promise<{ inTime: number; total: number }> {
  const { answeredAt, dueAt, reviewId } = followUpQuestions;
  const [counted] = await db
    .select({
      inTime: sql<number>`(count(*) filter (where ${answeredAt} <= ${dueAt}))::integer`,
      total: sql<number>`count(*)::integer`,
    })
    .from(followUpQuestions)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewId))
    .where(
      and(
        gt(dueAt, since),
        or(isNotNull(answeredAt), lte(dueAt, now())),
        isNull(serviceReviews.withdrawnAt),
        hasOpenAccount(serviceReviews.userId),
      ),
    );
  return counted!;
}

/** Repeats closings in the database of a restored backup, which may be older than them. */
import { and, eq, isNull, lt, ne } from "drizzle-orm";
import { sealedFor } from "../../accounts/rules.ts";
import { sealedAccounts, users } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { type ClosingSettings, closeAndSeal } from "./end-account.server.ts";

/**
 * Closes an account again, with the date of the first closing. Sends no email, and withdraws reviews that were still open in
 * the backup. Does nothing if the backup has no such account, or has it closed.
 *
 * @returns true if it was closed
 */
export async function closeAccountAgain(
  db: Database,
  config: ClosingSettings,
  { userId, closedAt }: { userId: string; closedAt: Date },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isOpen = and(eq(users.id, userId), isNull(users.closedAt));
    if ((await tx.$count(users, isOpen)) === 0) return false;
    await closeAndSeal(tx, config, userId, { closer: "operator", reason: null, isAgain: true });
    await withdrawOpenReviews(tx, userId);
    await tx.update(users).set({ closedAt }).where(eq(users.id, userId));
    await tx
      .update(sealedAccounts)
      .set({ purgeAt: new Date(closedAt.getTime() + sealedFor) })
      .where(eq(sealedAccounts.userId, userId));
    return true;
  });
}

async function withdrawOpenReviews(tx: Database, userId: string): Promise<void> {
  const withdrawn = await tx
    .update(serviceReviews)
    .set({ withdrawnAt: now() })
    .where(
      and(
        eq(serviceReviews.userId, userId),
        ne(serviceReviews.status, "completed"),
        isNull(serviceReviews.withdrawnAt),
      ),
    )
    .returning({ id: serviceReviews.id });
  for (const { id } of withdrawn)
    await tx.delete(reviewAssignments).where(eq(reviewAssignments.reviewId, id));
}

/** Gives a person who had come back after the backup two weeks to do so again. */
export async function setLaterPurge(db: Database, userId: string): Promise<void> {
  const purgeAt = new Date(now().getTime() + sealedFor);
  await db
    .update(sealedAccounts)
    .set({ purgeAt })
    .where(and(eq(sealedAccounts.userId, userId), lt(sealedAccounts.purgeAt, purgeAt)));
}

import { and, count, eq } from "drizzle-orm";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { isShareOpen } from "./shares.server.ts";
import { reviewShares } from "./tables.server.ts";

/** Counts the open links to a person's own reviews. */
export async function countOpenShares(db: Database, actor: { id: string }): Promise<number> {
  const [counted] = await db
    .select({ open: count() })
    .from(reviewShares)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewShares.reviewId))
    .where(and(eq(serviceReviews.userId, actor.id), isShareOpen()));
  return counted?.open ?? 0;
}

/** Closes all links to a person's reviews, in a transaction that holds the person's lock. */
export async function closeOwnShares(tx: Database, userId: string): Promise<void> {
  await tx
    .update(reviewShares)
    .set({ endedAt: now() })
    .from(serviceReviews)
    .where(
      and(
        eq(serviceReviews.id, reviewShares.reviewId),
        eq(serviceReviews.userId, userId),
        isShareOpen(),
      ),
    );
}

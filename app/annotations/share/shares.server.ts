import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { recordConsent } from "../../accounts/consents/consents.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { hashToken, generateToken } from "../../accounts/session.server.ts";
import { day, now } from "../../platform/clock.ts";
import { type Database, isUuid, deleteRowsInSteps } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { queueTask } from "../../platform/tasks.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { isShareOpen } from "./find-shares.server.ts";
import type { HiddenArea } from "../hiding/hidden-areas.ts";
import { shareDays } from "./rules.ts";
import { reviewShares } from "./tables.server.ts";

export const copyPagesTask = { name: "copy-shared-pages" };
export type CopyPagesData = { shareId: string };

/** The owner's choices for a link. */
type ShareChoice = { hidden: HiddenArea[]; withFeedback: boolean; withQuestion?: boolean };

/**
 * Creates a link to the actor's own completed review, and records the consent to share. An earlier link ends.
 *
 * @returns the link's token. Only its hash is stored.
 * @throws {NotFound} when the review is not theirs.
 * @throws {Conflict} when it is not completed, or another link is being created concurrently.
 */
export async function createShare(
  db: Database,
  actor: Actor | null,
  { reviewId, hidden, withFeedback, withQuestion = false }: ShareChoice & { reviewId: string },
): Promise<string> {
  authorize(actor, "review.share");
  return db.transaction(async (tx) => {
    // First, since it waits for a withdrawal, which must not miss this link.
    await recordConsent(tx, { userId: actor.id }, { purpose: "share", how: "share" });
    const review = await lockOwnReview(tx, actor, reviewId);
    if (review.status !== "completed") throw new Conflict("Only a completed review can be shared.");
    if (review.withdrawnAt) throw new Conflict("A review that is refunded cannot be shared.");
    await closeShares(tx, reviewId);
    const token = generateToken();
    const createdAt = now();
    const [share] = await tx
      .insert(reviewShares)
      .values({
        reviewId,
        tokenHash: hashToken(token),
        hidden,
        withFeedback,
        withQuestion,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + shareDays * day),
      })
      .returning({ id: reviewShares.id });
    await queueTask<CopyPagesData>(tx, copyPagesTask, { shareId: share!.id });
    return token;
  });
}

/**
 * Closes the link to the actor's own review, if there is one.
 *
 * @throws {NotFound} when the review is not theirs.
 */
export async function closeShare(
  db: Database,
  actor: Actor | null,
  { reviewId }: { reviewId: string },
): Promise<void> {
  authorize(actor, "review.share");
  await db.transaction(async (tx) => {
    await lockOwnReview(tx, actor, reviewId);
    await closeShares(tx, reviewId);
  });
}

async function lockOwnReview(tx: Database, actor: Actor, reviewId: string) {
  if (!isUuid(reviewId)) throw new NotFound();
  const [review] = await tx
    .select({ status: serviceReviews.status, withdrawnAt: serviceReviews.withdrawnAt })
    .from(serviceReviews)
    .where(and(eq(serviceReviews.id, reviewId), eq(serviceReviews.userId, actor.id)))
    .for("no key update");
  if (!review) throw new NotFound();
  return review;
}

/** Closes every link to a review, in a transaction that holds the review's lock. */
export async function closeShares(tx: Database, reviewId: string): Promise<void> {
  await tx
    .update(reviewShares)
    .set({ endedAt: now() })
    .where(and(eq(reviewShares.reviewId, reviewId), isNull(reviewShares.endedAt)));
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

/** Deletes closed links. The file sweep deletes their copies. */
export function deleteClosedShares(db: Database): Promise<number> {
  const isOver = or(lt(reviewShares.endedAt, now()), lt(reviewShares.expiresAt, now()));
  return deleteRowsInSteps(db, reviewShares, reviewShares.id, isOver);
}

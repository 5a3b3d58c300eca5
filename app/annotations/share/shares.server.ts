import { and, eq, gt, isNull, lt, or } from "drizzle-orm";
import { type Actor, findOwnProfile } from "../../accounts/actor.server.ts";
import { recordConsent } from "../../accounts/consents/consents.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { hashToken, generateToken } from "../../accounts/session.server.ts";
import { day, now } from "../../platform/clock.ts";
import { type Database, isUuid, deleteRowsInSteps } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { queueTask } from "../../platform/tasks.server.ts";
import { isOwnCompletedReview } from "../../reviews/may-read-file.server.ts";
import { listPages, listPageTexts } from "../document-pages/pages.server.ts";
import { withoutAuthor, listRemarks } from "../remarks/remarks.server.ts";
import type { PageView, Remark } from "../rules.ts";
import { getScores } from "../remarks/scores.server.ts";
import type { Scores } from "../../reviews/rubric.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { listPrivateAreas } from "./private-areas.server.ts";
import {
  type HiddenArea,
  isWholePage,
  type Shareable,
  shareDays,
  type SharedPage,
} from "./rules.ts";
import { reviewShares } from "./tables.server.ts";

/** The task that copies the pages of a share. */
export const copyPagesTask = { name: "copy-shared-pages" };
export type CopyPagesData = { shareId: string };

/** The owner's choices for a link. */
type ShareChoice = { hidden: HiddenArea[]; withFeedback: boolean };

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
  { reviewId, hidden, withFeedback }: ShareChoice & { reviewId: string },
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

/** The condition in SQL for a link that works. */
export function isShareOpen() {
  return and(isNull(reviewShares.endedAt), gt(reviewShares.expiresAt, now()));
}

/** Finds a review's open link, without its token; null without one. Check permission before calling it. */
export async function findOpenShare(db: Database, reviewId: string) {
  const [share] = await db
    .select({
      createdAt: reviewShares.createdAt,
      expiresAt: reviewShares.expiresAt,
      hidden: reviewShares.hidden,
      withFeedback: reviewShares.withFeedback,
      pages: reviewShares.pages,
    })
    .from(reviewShares)
    .where(and(eq(reviewShares.reviewId, reviewId), isShareOpen()));
  return share ?? null;
}

/** A review as people with the link see it. */
type SharedReview = {
  serviceType: ServiceType;
  /** Undefined if its owner does not share it. */
  feedback?: string | null;
  /** Null while they are being copied. */
  pages: SharedPage[] | null;
  /** True if any area is hidden. */
  isBlackedOut: boolean;
  /** The pages that are not hidden completely, as "resume-1". */
  visible: string[];
  /** The remarks on those pages, without quotes. */
  remarks: Remark[];
  scores: Scores;
  expiresAt: Date;
};

/**
 * Finds the review that a link leads to.
 *
 * @returns null for an expired, closed or unknown link
 */
export async function findSharedReview(db: Database, token: string): Promise<SharedReview | null> {
  const [share] = await db
    .select({
      reviewId: reviewShares.reviewId,
      withFeedback: reviewShares.withFeedback,
      pages: reviewShares.pages,
      hidden: reviewShares.hidden,
      expiresAt: reviewShares.expiresAt,
      serviceType: serviceReviews.serviceType,
      feedback: serviceReviews.reviewerFeedback,
    })
    .from(reviewShares)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewShares.reviewId))
    .where(matchesShareToken(token));
  if (!share) return null;
  const { reviewId, serviceType, pages, expiresAt } = share;
  const [remarks, scores] = await Promise.all([
    listPinnedRemarks(db, reviewId),
    getScores(db, reviewId),
  ]);
  const whole = share.hidden.filter(isWholePage);
  return {
    serviceType,
    ...(share.withFeedback && { feedback: share.feedback?.trim() || null }),
    pages,
    isBlackedOut: share.hidden.length > 0,
    visible: (pages ?? [])
      .filter(
        ({ part, number }) => !whole.some((area) => area.part === part && area.page === number),
      )
      .map(({ part, number }) => `${part}-${number}`),
    remarks: remarks.map((remark) => ({
      ...withoutAuthor(remark),
      // The quoted words can be hidden on the page, and a suggestion repeats them.
      quote: null,
      suggestion: null,
    })),
    scores,
    expiresAt,
  };
}

async function listPinnedRemarks(db: Database, reviewId: string) {
  const remarks = await listRemarks(db, reviewId);
  return remarks.filter(({ target }) => target?.kind === "page");
}

function matchesShareToken(token: string) {
  return and(eq(reviewShares.tokenHash, hashToken(token)), isShareOpen());
}

/** Finds the id of an open link, which names the folder of its copies; null for any other link. */
export async function findShareId(db: Database, token: string): Promise<string | null> {
  const [share] = await db
    .select({ id: reviewShares.id })
    .from(reviewShares)
    .where(matchesShareToken(token));
  return share?.id ?? null;
}

/** Deletes closed links. The file sweep deletes their copies. */
export function deleteClosedShares(db: Database): Promise<number> {
  const isOver = or(lt(reviewShares.endedAt, now()), lt(reviewShares.expiresAt, now()));
  return deleteRowsInSteps(db, reviewShares, reviewShares.id, isOver);
}

/** The data of the share screen. */
type Sharing = {
  serviceType: ServiceType;
  pages: PageView[];
  /** The places of the owner's name and of contact details on the pages. */
  found: HiddenArea[];
  /** True while pages are still being rendered, so that the owner cannot check them. */
  areComing: boolean;
  open: Awaited<ReturnType<typeof findOpenShare>>;
  shareable: Shareable;
};

/**
 * Finds the shareable pages of the actor's own completed review; a refunded one has none.
 *
 * @returns null for any other or unknown review
 */
export async function findSharing(
  db: Database,
  actor: Actor,
  reviewId: string,
): Promise<Sharing | null> {
  if (!isUuid(reviewId)) return null;
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(
      and(
        eq(serviceReviews.id, reviewId),
        isOwnCompletedReview(actor),
        isNull(serviceReviews.withdrawnAt),
      ),
    );
  if (!review) return null;
  const [parts, profile, open, remarks, scores] = await Promise.all([
    listPages(db, review),
    findOwnProfile(db, actor),
    findOpenShare(db, reviewId),
    listPinnedRemarks(db, reviewId),
    getScores(db, reviewId),
  ]);
  const name = profile?.fullName ?? actor.fullName;
  const found = await Promise.all(
    parts.map(async ({ part }) =>
      (await listPageTexts(db, review, part)).flatMap(({ number, ...text }) =>
        listPrivateAreas(text, name).map((area): HiddenArea => ({ part, page: number, ...area })),
      ),
    ),
  );
  const pages = parts.flatMap((part) => part.pages);
  return {
    serviceType: review.serviceType,
    pages,
    found: found.flat(),
    areComing: parts.some(({ isComing }) => isComing),
    open,
    shareable: {
      pages: pages.length,
      remarks: remarks.length,
      hasScores: Object.keys(scores).length > 0,
      hasFeedback: Boolean(review.reviewerFeedback?.trim()),
    },
  };
}

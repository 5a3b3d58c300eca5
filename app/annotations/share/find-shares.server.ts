import { and, count, desc, eq, gt, isNull } from "drizzle-orm";
import { type Actor, findOwnProfile } from "../../accounts/actor.server.ts";
import { hashToken } from "../../accounts/session.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { buildSignedId, parseSignedId, uuidLength } from "../../platform/signed-ids.server.ts";
import { isOwnCompletedReview } from "../../reviews/may-read-file.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { findAnsweredFollowUp } from "../follow-up/questions.server.ts";
import { listPages, listPageTexts } from "../document-pages/pages.server.ts";
import { withoutAuthor, listRemarks } from "../remarks/remarks.server.ts";
import { getScores } from "../remarks/scores.server.ts";
import { type HiddenArea, isWholePage } from "../hiding/hidden-areas.ts";
import { listPrivateAreas } from "./hidden-areas.server.ts";
import { reviewShares } from "./tables.server.ts";

type Signing = Pick<Config, "secrets">;

/** The purpose of the signature in a share's second address. */
const sharedLink = "shared-review";

/**
 * Builds the second address of a share, which needs no token. It works as long as the share's own link, and shows the
 * same.
 */
export function buildSharedPath(config: Signing, shareId: string): OwnPath {
  return `/shared/${buildSignedId(config, sharedLink, shareId)}`;
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
      withQuestion: reviewShares.withQuestion,
      pages: reviewShares.pages,
    })
    .from(reviewShares)
    .where(and(eq(reviewShares.reviewId, reviewId), isShareOpen()));
  return share ?? null;
}

/**
 * Finds the review that a link leads to.
 *
 * @param token of the share's link or of its second address
 * @returns null for an expired, closed or unknown link
 */
export async function findSharedReview(db: Database, config: Signing, token: string) {
  const [share] = await db
    .select({
      reviewId: reviewShares.reviewId,
      withFeedback: reviewShares.withFeedback,
      withQuestion: reviewShares.withQuestion,
      pages: reviewShares.pages,
      hidden: reviewShares.hidden,
      expiresAt: reviewShares.expiresAt,
      serviceType: serviceReviews.serviceType,
      feedback: serviceReviews.reviewerFeedback,
    })
    .from(reviewShares)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewShares.reviewId))
    .where(isOpenShareOf(config, token));
  if (!share) return null;
  const { reviewId, serviceType, pages, expiresAt } = share;
  const [remarks, scores, followUp] = await Promise.all([
    listPinnedRemarks(db, reviewId),
    getScores(db, reviewId),
    share.withQuestion ? findAnsweredFollowUp(db, reviewId) : null,
  ]);
  const whole = share.hidden.filter(isWholePage);
  return {
    serviceType,
    // Undefined if the owner doesn't share it.
    ...(share.withFeedback && { feedback: share.feedback?.trim() || null }),
    /** Null while they are being copied. */
    pages,
    isBlackedOut: share.hidden.length > 0,
    /** The pages that are not hidden completely, as "resume-1". */
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
    followUp,
    expiresAt,
  };
}

async function listPinnedRemarks(db: Database, reviewId: string) {
  const remarks = await listRemarks(db, reviewId);
  return remarks.filter(({ target }) => target?.kind === "page");
}

/** True in SQL for the open share of a token, which is the one of its link or its signed id. */
function isOpenShareOf(config: Signing, token: string) {
  const id = parseSignedId(config, sharedLink, token, uuidLength);
  const isMatch = id ? eq(reviewShares.id, id) : eq(reviewShares.tokenHash, hashToken(token));
  return and(isMatch, isShareOpen());
}

/** Finds the id of an open link, which names the folder of its copies; null for any other link. */
export async function findShareId(
  db: Database,
  config: Signing,
  token: string,
): Promise<string | null> {
  const [share] = await db
    .select({ id: reviewShares.id })
    .from(reviewShares)
    .where(isOpenShareOf(config, token));
  return share?.id ?? null;
}

/** Lists the open links to a person's own reviews, without their tokens. The last to end comes first. */
export function listOwnShares(db: Database, actor: { id: string }) {
  return db
    .select({
      id: reviewShares.id,
      serviceType: serviceReviews.serviceType,
      expiresAt: reviewShares.expiresAt,
    })
    .from(reviewShares)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewShares.reviewId))
    .where(isOwnOpenShare(actor))
    .orderBy(desc(reviewShares.expiresAt), reviewShares.id);
}

/**
 * Locks an open link to one of a person's own reviews against deletion, in a transaction.
 *
 * @returns false for any other link
 */
export async function lockOwnShare(
  tx: Database,
  actor: { id: string },
  id: string,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const shares = await tx
    .select({ id: reviewShares.id })
    .from(reviewShares)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewShares.reviewId))
    .where(and(eq(reviewShares.id, id), isOwnOpenShare(actor)))
    .for("key share", { of: reviewShares });
  return shares.length > 0;
}

/** True in SQL, with a join of the review, for an open link to one of a person's own reviews. */
function isOwnOpenShare(actor: { id: string }) {
  return and(eq(serviceReviews.userId, actor.id), isShareOpen());
}

/** Counts the open links to a person's own reviews. */
export async function countOpenShares(db: Database, actor: { id: string }): Promise<number> {
  const [counted] = await db
    .select({ open: count() })
    .from(reviewShares)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewShares.reviewId))
    .where(isOwnOpenShare(actor));
  return counted?.open ?? 0;
}

/**
 * Finds the shareable pages of the actor's own completed review; a refunded one has none.
 *
 * @returns null for any other or unknown review
 */
export async function findSharing(db: Database, actor: Actor, reviewId: string) {
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
  const [parts, profile, open, remarks, scores, followUp] = await Promise.all([
    listPages(db, review),
    findOwnProfile(db, actor),
    findOpenShare(db, reviewId),
    listPinnedRemarks(db, reviewId),
    getScores(db, reviewId),
    findAnsweredFollowUp(db, reviewId),
  ]);
  const name = profile?.fullName ?? actor.fullName;
  const areas = await Promise.all(
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
    /** The areas of the owner's name and of contact details. */
    suggestions: areas.flat(),
    /** True while pages are still being rendered, so that the owner cannot check them. */
    areComing: parts.some(({ isComing }) => isComing),
    open,
    hasAnswer: followUp !== null,
    shareable: {
      pages: pages.length,
      remarks: remarks.length,
      hasScores: Object.keys(scores).length > 0,
      hasFeedback: Boolean(review.reviewerFeedback?.trim()),
    },
  };
}

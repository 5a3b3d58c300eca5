import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { type Actor, isNotBanned } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, staffRoles, users } from "../../accounts/tables.server.ts";
import { getDayStart, now, toIsoDay } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import type { Sender } from "../../mail/deliver-mail.server.ts";
import { toCurrentAvailability } from "../../reviews/reviewer-profile/availability.server.ts";
import { messages } from "../../reviews/staff-rules.ts";
import {
  handedBackDrafts,
  reviewAssignments,
  reviewerAvailability,
} from "../../reviews/tables.server.ts";
import { type AssignmentOutcome, createAssignmentConflict } from "./assignment-messages.ts";
import {
  type ChosenReview,
  insertFreeAssignments,
  lockReviews,
  recordAssignments,
  validateSelection,
} from "./assign-reviews.server.ts";

/**
 * Shares pending reviews out in one transaction, the most urgent first: each goes to the reviewer with the fewest open
 * reviews, then to the one with the fewest assigned today, then by name. A second look goes to the reviewer of the
 * earlier review if possible. Reviewers who are away or have their number for today get none, nor do those who handed a
 * review back get that one again. Admins who share out at the same moment wait for each other.
 *
 * @throws {Invalid} without a selection, or for one that is too large.
 * @throws {Conflict} when none of the reviews could be assigned.
 */
export async function assignEvenly(
  db: Database,
  actor: Actor | null,
  { reviewIds }: { reviewIds: string[] },
  sender: Sender,
): Promise<AssignmentOutcome> {
  authorize(actor, "review.assign");
  const ids = validateSelection(reviewIds);
  return db.transaction(async (tx) => {
    const reviewers = await lockReviewers(tx);
    const chosen = await lockReviews(tx, ids);
    const waiting = chosen.filter(
      ({ status, withdrawnAt }) => status !== "completed" && !withdrawnAt,
    );
    const heldReviews = await listHeldReviews(tx, ids);
    const free = waiting.filter(({ id, status }) => status === "pending" && !heldReviews.has(id));
    const earlierReviewers = await listEarlierReviewers(tx, free);
    const loads = await listLoads(tx, reviewers);
    const formerReviewers = await listFormerReviewers(tx, free);
    const { shares, unplaced } = splitEvenly(free, loads, { earlierReviewers, formerReviewers });
    if (shares.size === 0 && unplaced.length > 0) throw new Conflict(messages.nobodyAvailable);
    for (const [reviewerId, reviews] of shares) {
      await insertFreeAssignments(tx, reviews, reviewerId);
      await recordAssignments(tx, actor, sender, { reviewerId, reviews });
    }
    const idsOf = (reviews: ChosenReview[]) => reviews.map(({ id }) => id);
    const outcome = {
      assigned: idsOf([...shares.values()].flat()),
      alreadyAssigned: idsOf(waiting.filter((review) => !free.includes(review))),
      boughtByReviewer: [],
      knownToReviewer: [],
      gone: ids.filter((id) => !idsOf(waiting).includes(id)),
      unplaced: idsOf(unplaced),
    };
    if (outcome.assigned.length === 0) throw createAssignmentConflict(outcome);
    return outcome;
  });
}

/** A reviewer's work, in the order of their names. */
export type Load = Awaited<ReturnType<typeof listLoads>>[number];

/**
 * Assigns each review to the reviewer with the least work, but never to the person who bought it, or to one who handed it
 * back.
 *
 * @param others.earlierReviewers who completed the earlier reviews of second looks, by their ids; they go first
 * @param others.formerReviewers who handed reviews back, by the ids of the reviews
 */
export function splitEvenly<
  One extends Pick<ChosenReview, "id" | "userId" | "secondLookOf" | "priority" | "createdAt">,
>(
  reviews: readonly One[],
  loads: readonly Load[],
  {
    earlierReviewers = new Map(),
    formerReviewers = new Map(),
  }: {
    earlierReviewers?: ReadonlyMap<string, string>;
    formerReviewers?: ReadonlyMap<string, readonly (string | null)[]>;
  } = {},
) {
  const shares = new Map<string, One[]>();
  const unplaced: One[] = [];
  const work = loads.filter(({ awayUntil }) => awayUntil === null).map((load) => ({ ...load }));
  for (const review of reviews.toSorted(compareUrgency)) {
    const able = work.filter(
      ({ reviewerId, today, reviewsADay }) =>
        reviewerId !== review.userId &&
        !formerReviewers.get(review.id)?.includes(reviewerId) &&
        (reviewsADay === null || today < reviewsADay),
    );
    const earlier = review.secondLookOf && earlierReviewers.get(review.secondLookOf);
    const [fallback] = able.toSorted(
      (one, other) => one.open - other.open || one.today - other.today,
    );
    const reviewer = able.find(({ reviewerId }) => reviewerId === earlier) ?? fallback;
    if (!reviewer) {
      unplaced.push(review);
      continue;
    }
    reviewer.open += 1;
    reviewer.today += 1;
    shares.set(reviewer.reviewerId, [...(shares.get(reviewer.reviewerId) ?? []), review]);
  }
  return { shares, unplaced };
}

/** Compares reviews in the order of the queue. */
function compareUrgency(
  one: Pick<ChosenReview, "id" | "priority" | "createdAt">,
  other: typeof one,
): number {
  const byTime = one.createdAt.getTime() - other.createdAt.getTime();
  return other.priority - one.priority || byTime || (one.id < other.id ? -1 : 1);
}

/**
 * Locks everyone who can get reviews, in the order of their ids. Other assignments wait, so the loads stay true until
 * the transaction ends.
 */
async function lockReviewers(tx: Database): Promise<string[]> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(staffRoles, and(eq(staffRoles.userId, users.id), eq(staffRoles.role, "reviewer")))
    .where(isNotBanned())
    .orderBy(asc(users.id))
    .for("no key update");
  return rows.map(({ id }) => id);
}

/** Returns those of the reviews that have an assignment. A pending review has one until its reviewer opens it. */
async function listHeldReviews(tx: Database, ids: string[]): Promise<ReadonlySet<string>> {
  const { reviewId } = reviewAssignments;
  const rows = await tx
    .select({ id: reviewId })
    .from(reviewAssignments)
    .where(inArray(reviewId, ids.filter(isUuid)));
  return new Set(rows.map(({ id }) => id));
}

/** Returns who completed the earlier reviews of second looks, by the ids of those reviews. */
async function listEarlierReviewers(tx: Database, reviews: readonly ChosenReview[]) {
  const earlierIds = reviews.map(({ secondLookOf }) => secondLookOf).filter((id) => id !== null);
  const { reviewId, reviewerId, completedAt } = reviewAssignments;
  const rows = await tx
    .select({ reviewId, reviewerId })
    .from(reviewAssignments)
    .where(and(inArray(reviewId, earlierIds), isNotNull(completedAt)));
  return new Map(rows.map((row) => [row.reviewId, row.reviewerId]));
}

/** Returns who handed these reviews back, by the ids of the reviews. */
async function listFormerReviewers(tx: Database, reviews: readonly ChosenReview[]) {
  const { reviewId, formerReviewerId } = handedBackDrafts;
  const rows = await tx
    .select({ reviewId, formerReviewerId })
    .from(handedBackDrafts)
    .where(
      inArray(
        reviewId,
        reviews.map(({ id }) => id),
      ),
    );
  const byReview = Map.groupBy(rows, (row) => row.reviewId);
  return new Map(
    [...byReview].map(([id, drafts]) => [id, drafts.map((one) => one.formerReviewerId)]),
  );
}

/** Lists the work of reviewers, by name. */
async function listLoads(tx: Database, reviewerIds: string[]) {
  const moment = now();
  const today = getDayStart(toIsoDay(moment)).toISOString();
  const { assignedAt, completedAt, reviewerId } = reviewAssignments;
  const isToday = sql`${assignedAt} >= ${today}::timestamptz`;
  const rows = await tx
    .select({
      reviewerId: users.id,
      open: sql<number>`(count(*) filter (where ${reviewerId} is not null and ${completedAt} is null))::int`,
      today: sql<number>`(count(*) filter (where ${isToday}))::int`,
      awayUntil: reviewerAvailability.awayUntil,
      reviewsADay: reviewerAvailability.reviewsADay,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .leftJoin(reviewerAvailability, eq(reviewerAvailability.userId, users.id))
    .leftJoin(
      reviewAssignments,
      and(eq(reviewerId, users.id), sql`(${completedAt} is null or ${isToday})`),
    )
    .where(inArray(users.id, reviewerIds))
    .groupBy(users.id, profiles.fullName, reviewerAvailability.userId)
    .orderBy(sql`${profiles.fullName} collate "und-x-icu"`, users.id);
  return rows.map((row) => toCurrentAvailability(row, moment));
}

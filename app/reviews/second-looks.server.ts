import { and, eq, isNull, ne } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { now } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { Conflict, NotFound } from "../platform/errors.ts";
import { isServiceType, type Service, services } from "./rules.ts";
import { getSecondLookEnd, getService, type ServiceKey } from "./second-looks.ts";
import { reviewAssignments, reviewDrafts, serviceReviews } from "./tables.server.ts";

type Person = { id: string };
type Settings = Pick<Config, "reviewPrices" | "secondLooks">;

/** A service at its price, for a draft of its own. */
export type Offer = Service & Required<ServiceKey> & { pricePaise: number };

/** The offer of a second look, with its last moment. */
type SecondLookOffer = Offer & { until: Date };

const looks = alias(serviceReviews, "looks");

/** True in SQL for a second look, as `looks`, that is neither completed nor refunded. */
const isOpenLook = and(ne(looks.status, "completed"), isNull(looks.withdrawnAt));

/**
 * Finds the second look that is offered for a person's own review: until some days after the completion, and while
 * no second look of it is open.
 */
export async function findSecondLook(
  db: Database,
  settings: Settings,
  actor: Person,
  reviewId: string,
): Promise<SecondLookOffer | null> {
  const { offer, refusal } = await readSecondLook(db, settings, actor, reviewId);
  return refusal ? null : offer;
}

/**
 * Returns the offer for what a person buys.
 *
 * @throws {NotFound} for a second look of another person's review, or of one that isn't completed or has none.
 * @throws {Conflict} when the second look isn't offered any more.
 */
export async function getOffer(
  db: Database,
  settings: Settings,
  actor: Person,
  { type, secondLookOf }: ServiceKey,
): Promise<Offer> {
  if (!secondLookOf)
    return { ...services[type], secondLookOf: null, pricePaise: settings.reviewPrices[type] };
  const { offer, refusal } = await readSecondLook(db, settings, actor, secondLookOf);
  if (!offer) throw new NotFound();
  if (refusal) throw new Conflict(refusal);
  return offer;
}

/** The reasons why a second look isn't offered any more. */
export const secondLookRefusals = {
  open: "You've already bought a second look at this review. It's on your profile.",
  over: "The time to buy a second look at this review is over. You can still buy a new review.",
};

async function readSecondLook(
  db: Database,
  { secondLooks }: Settings,
  actor: Person,
  reviewId: string,
): Promise<{ offer: SecondLookOffer | null; refusal: string | null }> {
  const nothing = { offer: null, refusal: null };
  if (!isUuid(reviewId)) return nothing;
  const [row] = await db
    .select({
      id: serviceReviews.id,
      type: serviceReviews.serviceType,
      completedAt: reviewAssignments.completedAt,
      openLook: looks.id,
    })
    .from(serviceReviews)
    .innerJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .leftJoin(looks, and(eq(looks.secondLookOf, serviceReviews.id), isOpenLook))
    .where(isOwnCompleted(actor, reviewId))
    .limit(1);
  const pricePaise = row ? secondLooks.prices[row.type] : null;
  if (!row?.completedAt || pricePaise === null) return nothing;
  const until = getSecondLookEnd(secondLooks, row.completedAt);
  const isOver = until <= now();
  const key = { type: row.type, secondLookOf: row.id };
  const offer = { ...getService(key), ...key, pricePaise, until };
  const { open, over } = secondLookRefusals;
  return { offer, refusal: row.openLook ? open : isOver ? over : null };
}

function isOwnCompleted(actor: Person, reviewId: string) {
  return and(
    eq(serviceReviews.id, reviewId),
    eq(serviceReviews.userId, actor.id),
    eq(serviceReviews.status, "completed"),
    isNull(serviceReviews.withdrawnAt),
  );
}

/**
 * Parses the target of a draft: a type of review, or the id of a person's own completed review for its second look.
 *
 * @throws {NotFound} for anything else.
 */
export async function getServiceKey(
  db: Database,
  actor: Person,
  target: string,
): Promise<Required<ServiceKey>> {
  if (isServiceType(target)) return { type: target, secondLookOf: null };
  const [review] = isUuid(target)
    ? await db
        .select({ type: serviceReviews.serviceType, secondLookOf: serviceReviews.id })
        .from(serviceReviews)
        .where(isOwnCompleted(actor, target))
    : [];
  if (!review) throw new NotFound();
  return review;
}

/** True in SQL for a person's draft of what they buy. */
export function isOwnDraft(actor: Person, { type, secondLookOf }: ServiceKey) {
  return and(
    eq(reviewDrafts.userId, actor.id),
    eq(reviewDrafts.serviceType, type),
    isSecondLookOf(reviewDrafts.secondLookOf, secondLookOf),
  );
}

/** True in SQL where a column names this earlier review; for null, where it names none. */
export function isSecondLookOf(column: PgColumn, reviewId: string | null | undefined) {
  return reviewId ? eq(column, reviewId) : isNull(column);
}

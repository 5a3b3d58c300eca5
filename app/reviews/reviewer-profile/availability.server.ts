import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { formatShortDate, getDayStart, now, toIsoDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { reviewerAvailability } from "../tables.server.ts";
import { type Availability, availabilityLimits, getAwayRange } from "./availability.ts";

const { userId, awayUntil, reviewsADay } = reviewerAvailability;
const columns = { awayUntil, reviewsADay };
const anytime: Availability = { awayUntil: null, reviewsADay: null };

/** Finds a reviewer's own availability. A date in the past counts as none. */
export async function findOwnAvailability(
  db: Database,
  actor: { id: string },
): Promise<Availability> {
  const [row] = await db.select(columns).from(reviewerAvailability).where(eq(userId, actor.id));
  return toCurrentAvailability(row ?? anytime, now());
}

/** Removes a date in the past. */
export function toCurrentAvailability<One extends Availability>(one: One, moment: Date): One {
  const isAway = one.awayUntil !== null && one.awayUntil >= toIsoDay(moment);
  return isAway ? one : { ...one, awayUntil: null };
}

/**
 * Saves when the actor is away and how many reviews they take in a day. Saving the same again changes nothing.
 *
 * @throws {Invalid} for a date before today or too far ahead, in India, or another number than 1 to 50
 */
export async function saveAvailability(
  db: Database,
  actor: Actor | null,
  availability: Availability,
): Promise<void> {
  authorize(actor, "reviewer.set-availability");
  validateAvailability(availability);
  await db.transaction(async (tx) => {
    const [before = anytime] = await tx
      .select(columns)
      .from(reviewerAvailability)
      .where(eq(userId, actor.id))
      .for("update");
    const { awayUntil: away, reviewsADay: aDay } = availability;
    if (before.awayUntil === away && before.reviewsADay === aDay) return;
    const changed = { awayUntil: away, reviewsADay: aDay, updatedAt: now() };
    await tx
      .insert(reviewerAvailability)
      .values({ userId: actor.id, ...changed })
      .onConflictDoUpdate({ target: userId, set: changed });
    const subject = { type: "user", id: actor.id };
    const after = { awayUntil: away, reviewsADay: aDay };
    await recordAuditEvents(tx, [
      { actor, event: "reviewer.set-availability", subject, before, after },
    ]);
  });
}

function validateAvailability({ awayUntil: away, reviewsADay: aDay }: Availability): void {
  const { first, last } = getAwayRange(now());
  const isDay = away === null || z.iso.date().safeParse(away).success;
  const errors = {
    ...((!isDay || (away !== null && (away < first || away > last))) && {
      awayUntil: `Choose a date from today to ${formatShortDate(getDayStart(last))}`,
    }),
    ...(aDay !== null &&
      !(Number.isInteger(aDay) && aDay >= 1 && aDay <= availabilityLimits.reviewsADay) && {
        reviewsADay: `Enter a whole number from 1 to ${availabilityLimits.reviewsADay}, or leave it empty`,
      }),
  };
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

import { day, minute } from "../../platform/clock.ts";
import { type Counting, countTry, type RateLimit } from "../../platform/rate-limit.server.ts";

export const wrongCode = "This code is not right, or was used already. Please try the next one.";

/**
 * Only who knows the password gets so far. Three codes of a million are right at a time, so that after a
 * month of fifty guesses a day one in two hundred has found one.
 */
const byQuarter: RateLimit = { name: "code", max: 10, windowMs: 15 * minute };
const byDay: RateLimit = { name: "code-day", max: 50, windowMs: day };

/**
 * Counts one try of a code for an account.
 *
 * @throws {TooMany} where it is one too many.
 */
export async function countCode(counting: Counting, userId: string): Promise<void> {
  await countTry(counting, byQuarter, userId);
  await countTry(counting, byDay, userId);
}

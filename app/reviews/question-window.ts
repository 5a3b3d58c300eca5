import { day } from "../platform/clock.ts";

/** Returns the moment from which the customer can't ask about a completed review any more. */
export function getAskableUntil(completedAt: Date): Date {
  return new Date(completedAt.getTime() + 7 * day);
}

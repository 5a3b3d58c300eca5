import { day, hour, minute } from "../platform/clock.ts";

/** A buyer may still be on the provider's page for this long while the provider doesn't know the order. */
const unknownOrderExpiry = day;

/** Checks whether an order that the provider doesn't know is old enough to fail. */
export function hasExpired(createdAt: Date, moment: Date): boolean {
  return moment.getTime() - createdAt.getTime() > unknownOrderExpiry;
}

/** Times after an order starts: frequent at first, then daily for a week. */
const checksAfter = [
  ...[2, 5, 15, 60].map((minutes) => minutes * minute),
  ...[6, 24].map((hours) => hours * hour),
  ...[2, 3, 4, 5, 6, 7, 8].map((days) => days * day),
];

/** Returns the time of the next check of an unpaid order; null after the last one. */
export function getNextOrderCheck(createdAt: Date, moment: Date): Date | null {
  const age = moment.getTime() - createdAt.getTime();
  const after = checksAfter.find((check) => check > age);
  return after === undefined ? null : new Date(createdAt.getTime() + after);
}

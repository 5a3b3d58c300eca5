import { day, hour, minute } from "../platform/clock.ts";

/** A payer may still be looking at the provider's page for this long, and the provider knows nothing. */
const patience = day;

/** Checks whether an order that the provider does not know is old enough to be given up. */
export function hasExpired(createdAt: Date, moment: Date): boolean {
  return moment.getTime() - createdAt.getTime() > patience;
}

/** After an order begins: first often, then daily for a week. */
const checksAfter = [
  ...[2, 5, 15, 60].map((minutes) => minutes * minute),
  ...[6, 24].map((hours) => hours * hour),
  ...[2, 3, 4, 5, 6, 7, 8].map((days) => days * day),
];

/** When the provider is asked next about an order that is not paid; null when it was asked enough. */
export function getNextOrderCheck(createdAt: Date, moment: Date): Date | null {
  const age = moment.getTime() - createdAt.getTime();
  const after = checksAfter.find((check) => check > age);
  return after === undefined ? null : new Date(createdAt.getTime() + after);
}

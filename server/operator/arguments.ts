import { InvalidArgumentError } from "@commander-js/extra-typings";
import { getDayStart } from "../../app/platform/clock.ts";

/** A number of days or of things, as in `--days 30`. */
export function parseWholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number < 36_500) return number;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

/** A day of the product's calendar, as in `--since 2026-01-31`, or a whole moment; gives its beginning. */
export function parseMoment(text: string): Date {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMoment = /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(text);
  const date = isDay ? getDayStart(text) : new Date(isMoment ? text : Number.NaN);
  if (!Number.isNaN(date.getTime()) && isOnCalendar(text.slice(0, 10))) return date;
  throw new InvalidArgumentError("It must be a day like 2026-01-31, or a moment with its zone.");
}

/** Dates take what lies behind a month's end for a day of the next one. */
function isOnCalendar(date: string): boolean {
  return new Date(`${date}T00:00Z`).toISOString().startsWith(date);
}

import { InvalidArgumentError } from "@commander-js/extra-typings";
import { getDayStart } from "../../app/platform/clock.ts";

/** Parses a count, such as `--days 30`. */
export function parseWholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number < 36_500) return number;
  throw new InvalidArgumentError("It must be a whole number greater than 0.");
}

/** Parses a day in IST, such as `--since 2026-01-31`, to its start, or a full timestamp. */
export function parseMoment(text: string): Date {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMoment = /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(text);
  const date = isDay ? getDayStart(text) : new Date(isMoment ? text : Number.NaN);
  if (!Number.isNaN(date.getTime()) && isOnCalendar(text.slice(0, 10))) return date;
  throw new InvalidArgumentError("It must be a day like 2026-01-31, or a time with its time zone.");
}

/** The Date constructor turns February 31 into a day in March. */
function isOnCalendar(date: string): boolean {
  return new Date(`${date}T00:00Z`).toISOString().startsWith(date);
}

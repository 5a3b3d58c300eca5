/** Formats due dates, and parses dates of fields and lists; safe for the browser. */
import {
  aheadOfUtc,
  day,
  hour,
  toZonedDate,
  minute,
  formatDayOfWeek,
  formatTime,
  formatYear,
} from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";

/** A due date as text at one moment. The server formats it, so that all browsers agree. */
export type DueView = {
  /** "Overdue 2 h", "53 min left", or from a day on "Due Fri, Nov 27": short enough for one line of a list */
  label: string;
  /** "due Fri, Nov 27, 9:40 PM", or "was due …" */
  due: string;
  /** "5 hours left", "overdue by 2 hours" */
  left: string;
  isOverdue: boolean;
  /** The first date, if an admin has set a later one: "first due Fri, Nov 27, 9:40 PM" */
  first: string | null;
  /** The due date in ISO format, as in "2026-01-31T16:10:00.000Z". */
  at: string;
  /** The moment of the texts, in the same format. */
  measuredAt: string;
};

/** The columns of a review for its due date. */
export type Promised = {
  status: string;
  dueAt: Date | null;
  extendedTo: Date | null;
  withdrawnAt?: Date | null;
};

/** Returns the due date that applies: a later one if an admin has set it, or else the first. */
export function getEffectiveDueAt({ dueAt, extendedTo }: Pick<Promised, "dueAt" | "extendedTo">) {
  return extendedTo ?? dueAt;
}

/**
 * Formats when a review is due, and the time left from `moment`.
 *
 * @returns null for a dateless, completed or refunded review
 */
export function toDueView(review: Promised, moment: Date): DueView | null {
  const at = getEffectiveDueAt(review);
  if (!at || review.status === "completed" || review.withdrawnAt) return null;
  const isExtended = review.extendedTo !== null && review.dueAt !== null;
  return {
    ...buildDueView(at, moment),
    first: isExtended ? `first due ${formatDueMoment(review.dueAt!, moment)}` : null,
  };
}

/** Formats a deadline and the time left from `moment`. */
export function buildDueView(at: Date, moment: Date): DueView {
  return {
    ...describeDue(at, moment),
    first: null,
    at: at.toISOString(),
    measuredAt: moment.toISOString(),
  };
}

/** Updates a due date by the milliseconds since it was formatted. */
export function updateDueView(view: DueView, elapsed: number): DueView {
  return {
    ...view,
    ...describeDue(new Date(view.at), new Date(Date.parse(view.measuredAt) + elapsed)),
  };
}

function describeDue(at: Date, moment: Date) {
  const isOverdue = at < moment;
  return {
    label: formatDueLabel(at, moment),
    due: `${isOverdue ? "was due" : "due"} ${formatDueMoment(at, moment)}`,
    left: formatTimeLeft(at, moment),
    isOverdue,
  };
}

function formatDueLabel(at: Date, moment: Date): string {
  const left = at.getTime() - moment.getTime();
  if (left < 0) return `Overdue ${formatShortSpan(-left)}`;
  return left < day ? `${formatShortSpan(left)} left` : `Due ${formatDayOfWeek(at)}`;
}

/** Formats a time span in minutes, hours, or from two days on in days: "53 min", "2 h", "3 days". */
function formatShortSpan(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / minute));
  const hours = Math.floor((minutes * minute) / hour);
  if (hours < 1) return `${minutes} min`;
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/** Formats a due date: "Fri, Nov 27, 9:40 PM", with the year if it isn't the year of `moment`. */
export function formatDueMoment(at: Date, moment: Date): string {
  const year = formatYear(at) === formatYear(moment) ? "" : `, ${formatYear(at)}`;
  return `${formatDayOfWeek(at)}${year}, ${formatTime(at)}`;
}

/** The speed of recent reviews with a due date. */
export type ServiceFigures = {
  completed: number;
  onTime: number;
  /** Half of them were completed within these hours of the payment; null without completed reviews. */
  medianHours: number | null;
};

/** The least number of cases for a meaningful figure. */
export const minCasesForFigures = 20;

/** The limits of an extension: its length and the length of its reason. */
export const extensionLimits = { ahead: 14 * day, reason: 500 };

export const extensionMessages = {
  none: "You can't change the due date of this review. It is completed or refunded, or never had one.",
  noMoment: "Please choose a date and a time",
  notLater: "Please choose a future time, later than the current due date",
  tooLate: `Please choose a time within ${extensionLimits.ahead / day} days`,
  noReason: "Please enter a reason. The customer will see it.",
  reasonTooLong: `Please keep this within ${extensionLimits.reason} characters`,
} as const;

/**
 * Returns the limits and the initial value of the extension field, in the browser's format, rounded to
 * minutes.
 */
export function getExtensionDates({ at }: DueView, moment: Date) {
  const earliest = Math.max(Date.parse(at), moment.getTime());
  const latest = moment.getTime() + extensionLimits.ahead;
  return {
    earliest: toDateTimeInput(new Date(Math.floor(earliest / minute) * minute + minute)),
    suggested: toDateTimeInput(new Date(Math.min(earliest + day, latest))),
    latest: toDateTimeInput(new Date(latest)),
  };
}

function formatTimeLeft(at: Date, moment: Date): string {
  const span = formatTimeSpan(Math.abs(at.getTime() - moment.getTime()));
  return at < moment ? `overdue by ${span}` : `${span} left`;
}

/** Formats a time span in minutes, hours, or from three days on in days: "1 minute", "47 hours", "4 days". */
function formatTimeSpan(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / minute));
  const hours = Math.floor((minutes * minute) / hour);
  if (hours < 1) return formatUnits(minutes, "minute");
  return hours < 72 ? formatUnits(hours, "hour") : formatUnits(Math.floor(hours / 24), "day");
}

function formatUnits(count: number, unit: string): string {
  return countNoun(count, unit);
}

/** Formats a date for a datetime field in Indian time, as in "2026-01-31T21:40"; seconds are dropped. */
export function toDateTimeInput(date: Date): string {
  return toZonedDate(date).toISOString().slice(0, 16);
}

/** Parses the value of a datetime field in Indian time; null for an invalid one. */
export function parseDateTimeInput(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return null;
  const local = Date.parse(`${text}Z`);
  return Number.isNaN(local) ? null : new Date(local - aheadOfUtc);
}

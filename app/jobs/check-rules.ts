/** Rules for checking that a job is still open. Safe for the browser. */
import {
  day,
  formatMonthDay,
  formatShortDate,
  formatYear,
  getDayStart,
} from "../platform/clock.ts";
import type { CheckSettings } from "../platform/config.server.ts";

/** The people and sources that check: staff, the contact by an emailed link, a member of the company, or an import. */
export const checkKinds = ["staff", "contact", "company", "feed"] as const;
export type CheckKind = (typeof checkKinds)[number];

export const checkResults = ["open", "filled", "closed"] as const;
export type CheckResult = (typeof checkResults)[number];

/** The reasons for which a listing left the board. Archiving by hand needs none. */
export const archivedReasons = [
  "closed",
  "filled",
  "date",
  "unanswered",
  "withdrawn",
  "reported",
  "gone",
  "named",
] as const;
type ArchivedReason = (typeof archivedReasons)[number];

/** The second email about a check follows this long after the first. */
export const remindAfter = 3 * day;
/** A listing that lapses leaves the board this long after its check was due. */
export const lapseAfter = 7 * day;
/** A subscriber's listing leaves the board if nobody has checked it by then. */
export const firstCheckWithin = 14 * day;
/** The closing date is at most this far ahead. */
export const maxClosing = 180 * day;

/** The settings of an installation that sets none. */
export const defaultChecks: CheckSettings = { checkEvery: 14 * day, lapsesAll: false };

type Checked = {
  closesOn: string | null;
  checkDueAt: Date;
  /** True if the listing leaves the board when its check is overdue. */
  lapses: boolean;
};

/** Returns the time at which a listing leaves the board by itself; null if it doesn't. */
export function getLiveUntil({ closesOn, checkDueAt, lapses }: Checked): Date | null {
  const ends = [
    ...(closesOn ? [getClosingEnd(closesOn)] : []),
    ...(lapses ? [new Date(checkDueAt.getTime() + lapseAfter)] : []),
  ];
  return ends.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

/** Returns the end of the last day to apply, in India. @param closesOn such as "2026-12-31" */
export function getClosingEnd(closesOn: string): Date {
  return new Date(getDayStart(closesOn).getTime() + day);
}

type Archived = Checked & {
  isArchived: boolean;
  archivedReason: ArchivedReason | null;
  checkedAt: Date | null;
  liveUntil: Date | null;
};

/** Checks whether a listing has left the board by itself. */
export function hasLapsed({ liveUntil }: Pick<Archived, "liveUntil">, moment: Date): boolean {
  return liveUntil !== null && liveUntil <= moment;
}

/** A listing is live until its closing date or its overdue check, whichever comes first. */
export function getLapseReason({
  closesOn,
  liveUntil,
}: Pick<Archived, "closesOn" | "liveUntil">): ArchivedReason {
  const isDated = closesOn && liveUntil && getClosingEnd(closesOn) <= liveUntil;
  return isDated ? "date" : "unanswered";
}

const reasonLabels: Record<ArchivedReason, string> = {
  closed: "Closed",
  filled: "Filled",
  date: "Closing date passed",
  unanswered: "No answer",
  withdrawn: "Contact withdrew",
  reported: "Removed after reports",
  gone: "No longer on the company's careers page",
  named: "Hidden until an admin has checked its text",
};

const closedSentences: Record<ArchivedReason, string> = {
  closed: "The company has closed it.",
  filled: "The company has filled it.",
  date: "Its closing date has passed.",
  unanswered: "We couldn't confirm that it is still open.",
  withdrawn: "Its contact is no longer available.",
  reported: "We removed it after reports.",
  gone: "It is no longer on the company's careers page.",
  named: "We're checking its text.",
};

/** Explains to readers why a job is no longer open. */
export function explainClosed(job: ClosedJob): string {
  const reason = getArchivedReason(job);
  return reason ? closedSentences[reason] : "It has been taken down.";
}

/** The same for a listing that was deleted. */
export const deletedSentence = "Its listing was deleted.";

type ClosedJob = Pick<Archived, "isArchived" | "archivedReason" | "closesOn" | "liveUntil">;

/** Returns the reason of an archived listing, or of one that has lapsed and isn't archived yet. */
function getArchivedReason(job: ClosedJob): ArchivedReason | null {
  return job.isArchived ? job.archivedReason : getLapseReason(job);
}

/**
 * Describes why a listing is archived, also before the task archives a lapsed one: "No answer since Dec 2, 2026".
 *
 * @returns null for a listing that was archived by hand
 */
export function describeArchived(job: Omit<Archived, "lapses">): string | null {
  const reason = getArchivedReason(job);
  if (reason !== "unanswered") return reason && reasonLabels[reason];
  if (!job.checkedAt) return "Not checked in time";
  return `${reasonLabels.unanswered} since ${formatShortDate(job.checkDueAt)}`;
}

/** Names the one who checked, to follow a date. */
export const checkers: Record<CheckKind, string> = {
  staff: "by our team",
  contact: "by the contact",
  company: "by the company",
  feed: "on the company's careers page",
};

/** Formats the last check for a card: "Checked Nov 18, 2026" or "Not checked yet". */
export function formatCheckedOn(checkedAt: Date | null): string {
  return checkedAt ? `Checked ${formatShortDate(checkedAt)}` : notChecked;
}

const notChecked = "Not checked yet";

/** Says what "verified" means, beside each page that calls the jobs verified. */
export const verifiedMeaning = `Verified means that our team or the job's contact confirmed it on the date that its page shows. A job that nobody has confirmed says “${notChecked}”.`;

/** Formats the last day to apply: "Apply by Dec 12, 2026". */
export function formatClosing(closesOn: string | null): string | null {
  return closesOn && `Apply by ${formatShortDate(getDayStart(closesOn))}`;
}

type LastCheck = {
  checkedAt: Date | null;
  checkDueAt: Date;
  kind: CheckKind | null;
};

/**
 * Describes the last check of a listing: "Checked Nov 18, 2026 by the company. Next check Dec 2." An overdue
 * check is "Last checked Nov 18, 2026 by our team."
 */
export function describeCheck({ checkedAt, checkDueAt, kind }: LastCheck, moment: Date): string {
  if (!checkedAt) return notChecked;
  const checker = kind ? ` ${checkers[kind]}` : "";
  const checked = `${formatShortDate(checkedAt)}${checker}`;
  return checkDueAt > moment
    ? `Checked ${checked}. Next check ${formatNextDate(checkDueAt, moment)}.`
    : `Last checked ${checked}.`;
}

/** Formats a date, with the year if it isn't the year of `moment`. */
function formatNextDate(date: Date, moment: Date): string {
  return formatYear(date) === formatYear(moment) ? formatMonthDay(date) : formatShortDate(date);
}

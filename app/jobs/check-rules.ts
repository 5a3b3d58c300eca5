/** Rules for checking that a job is still open. Safe for the browser. */
import { day, formatShortDate, getDayStart } from "../platform/clock.ts";

export type { CheckSettings } from "../platform/config.server.ts";

/** Who checked: staff, the contact by an emailed link, a member of the company, or an import of its listings. */
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
] as const;
export type ArchivedReason = (typeof archivedReasons)[number];

/** The second email about a check follows this long after the first. */
export const remindAfter = 3 * day;
/** A listing that lapses leaves the board this long after its check was due. */
export const lapseAfter = 7 * day;
/** A subscriber's listing leaves the board if nobody has checked it by then. */
export const firstCheckWithin = 14 * day;
/** The closing date is at most this far ahead. */
export const longestClosing = 180 * day;

type Checked = {
  closesOn: string | null;
  checkDueAt: Date | null;
  /** True if the listing leaves the board when its check is overdue. */
  lapses: boolean;
};

/** Returns the time at which a listing leaves the board by itself; null if it doesn't. */
export function getLiveUntil({ closesOn, checkDueAt, lapses }: Checked): Date | null {
  const ends = [
    ...(closesOn ? [new Date(getDayStart(closesOn).getTime() + day)] : []),
    ...(lapses && checkDueAt ? [new Date(checkDueAt.getTime() + lapseAfter)] : []),
  ];
  return ends.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

const checkers: Record<CheckKind, string> = {
  staff: "by our team",
  contact: "by the contact",
  company: "by the company",
  feed: "on the company's careers page",
};

type LastCheck = {
  checkedAt: Date | null;
  checkDueAt: Date | null;
  kind: CheckKind | null;
};

/**
 * Describes the last check of a listing: "Checked Nov 18, 2026 by the company. Next check Dec 2, 2026." An overdue
 * check is "Last checked Nov 18, 2026 by our team."
 */
export function describeCheck({ checkedAt, checkDueAt, kind }: LastCheck, moment: Date): string {
  if (!checkedAt) return "Not checked yet";
  const checker = kind ? ` ${checkers[kind]}` : "";
  const checked = `${formatShortDate(checkedAt)}${checker}`;
  return checkDueAt && checkDueAt > moment
    ? `Checked ${checked}. Next check ${formatShortDate(checkDueAt)}.`
    : `Last checked ${checked}.`;
}

/** Messages and texts of the checks queue; safe for the browser. */
import type { CheckKind, CheckResult } from "../../jobs/check-rules.ts";
import { checkers } from "../../jobs/check-rules.ts";
import type { Toast } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { Conflict } from "../../platform/errors.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { buildDueView } from "../../reviews/due-dates/due-dates.ts";

/** The most listings that one form checks. */
export const maxSelection = 100;

export const messages = {
  noSelection: "Select at least one listing",
  selectionTooLarge: `Select at most ${maxSelection} listings at a time`,
  listFailed: "Failed to load the listings",
  failed: "Failed to check the listings",
  needsAdmin: "We removed a listing of yours after reports, so only admins can mark yours as open.",
} as const;

/** Tells admins why a listing is first in the queue. */
export const removalWarning = "Its owner had a listing removed after reports";

/** The answers about a listing, by the form's intent. */
export const answers = {
  "still-open": { result: "open", label: "Still open" },
  filled: { result: "filled", label: "Filled" },
  closed: { result: "closed", label: "Closed" },
} as const satisfies Record<string, { result: CheckResult; label: string }>;

/** The titles of failed forms, by intent. */
export const failedTitles = {
  "still-open": messages.failed,
  filled: messages.failed,
  closed: messages.failed,
};

/** The number of listings that a form checked, and of those that it couldn't. */
export type CheckOutcome = {
  result: CheckResult;
  checked: number;
  /** Checked by someone else in the meantime. */
  current: number;
  /** Archived or deleted. */
  gone: number;
};

/** Builds the toast for an outcome with at least one checked listing. */
export function buildCheckToast(outcome: CheckOutcome): Toast {
  const { result, checked } = outcome;
  const count = formatListingCount(checked);
  const title =
    result === "open" ? `Marked ${count} as still open` : `Archived ${count} as ${result}`;
  const problems = listCheckProblems(outcome);
  return problems.length === 0
    ? { kind: "success", title }
    : { kind: "warning", title, description: problems.join(" ") };
}

/** Creates the error when no listing was checked. */
export function createCheckConflict(outcome: CheckOutcome): Conflict {
  return new Conflict(listCheckProblems(outcome).join(" "));
}

function listCheckProblems({ current, gone }: CheckOutcome): string[] {
  return [
    ...(current > 0 ? [`Someone else has already checked ${formatListingCount(current)}.`] : []),
    ...(gone > 0
      ? [`${formatListingCount(gone)} ${gone === 1 ? "is" : "are"} no longer on the board.`]
      : []),
  ];
}

function formatListingCount(count: number): string {
  return countNoun(count, "listing");
}

type DueCheck = { checkDueAt: Date; liveUntil: Date | null };

/** Describes how urgent a check is. @returns `leaves`: "Leaves the board Dec 2, 2026", or null if it stays */
export function describeUrgency({ checkDueAt, liveUntil }: DueCheck, moment: Date) {
  return {
    due: buildDueView(checkDueAt, moment),
    leaves: liveUntil && `Leaves the board ${formatShortDate(liveUntil)}`,
  };
}

/** Describes the last check: "Nov 18, 2026 by our team", or "Never". */
export function describeLastCheck(checkedAt: Date | null, kind: CheckKind | null): string {
  if (!checkedAt) return "Never";
  return [formatShortDate(checkedAt), ...(kind ? [checkers[kind]] : [])].join(" ");
}

/** Rules for a person's own list of jobs: states, limits and labels; safe for the browser. */
import { day, formatShortDate, getDayStart } from "../../platform/clock.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import type { Tone } from "../../ui/layout/card.tsx";

/** Any state may follow any other. */
export const trackerStates = [
  "saved",
  "applied",
  "interviewing",
  "offer",
  "rejected",
  "withdrawn",
] as const;
export type TrackerState = (typeof trackerStates)[number];

/** Limits of a tracked job, in UTF-16 units, and of the list, in jobs. */
export const trackerLimits = {
  title: 200,
  company: 200,
  place: 200,
  url: 2_000,
  notes: 5_000,
  motivation: 300,
};
export const maxTrackedJobs = 1_000;

/** Undo restores at most this many changes of a job's state. */
export const maxRestoredEvents = 500;

export const trackerPath = "/profile/jobs";
/** The address of a job from the board begins with this. */
export const listingPrefix = "/jobs/";

export const trackerLabels: Record<TrackerState, { label: string; tone: Tone }> = {
  saved: { label: "Saved", tone: "outline" },
  applied: { label: "Applied", tone: "info" },
  interviewing: { label: "Interviewing", tone: "info" },
  offer: { label: "Offer", tone: "success" },
  rejected: { label: "Rejected", tone: "neutral" },
  withdrawn: { label: "Withdrawn", tone: "neutral" },
};

/** The next step of a job in these states doesn't count, since nothing follows. */
export const endedStates = ["rejected", "withdrawn"] as const satisfies TrackerState[];

/** The answers to the question if a company replied, with their buttons. */
export const replyLabels = {
  within: "Yes, within two weeks",
  later: "Yes, later",
  "not-yet": "Not yet",
} as const;
export type ReplyAnswer = keyof typeof replyLabels;
export const replyOutcomes = ["within", "later", "not-yet", "withdrawn"] as const;
export type ReplyOutcome = (typeof replyOutcomes)[number];

/** We ask this many days after the application, and again on the second day after a "not yet". */
export const replyQuestionDays = { first: 14, second: 28 };
/** We don't ask about older applications. */
export const maxReplyQuestionDays = 90;

export const trackerMessages = {
  early: `You can answer from ${replyQuestionDays.first} days after you applied.`,
  notApplied: "You can answer about jobs from the board that you applied for.",
  full: `Your list has ${formatIndianNumber(maxTrackedJobs)} jobs, which is the limit. Remove some to add others.`,
  changed: "You changed this job in another tab or on another device.",
  detailed: "You've added details to this job. Remove it from your list of jobs.",
  gone: "This job is no longer in your list.",
  noStep: "This job has no next step.",
};

/** Checks whether a text is a state. */
export function isTrackerState(text: string | null): text is TrackerState {
  return trackerStates.some((state) => state === text);
}

/** Checks whether a job was added by hand. Others come from the board, also if their listing was deleted since. */
export function isFoundElsewhere({ jobId, url }: { jobId: string | null; url: string }): boolean {
  return jobId === null && !url.startsWith(listingPrefix);
}

/** The states of a job whose company may have replied to the person. */
export const appliedStates = [
  "applied",
  "interviewing",
  "offer",
  "rejected",
] as const satisfies TrackerState[];

/** A next step in words, and whether it is due. */
export type NextStep = { label: string; due: "overdue" | "today" | "later" };

/**
 * Describes the date of a next step: "Overdue since Nov 24, 2026", "Next step today", "Next step tomorrow" or
 * "Next step Dec 2, 2026".
 *
 * @param today in India, such as "2026-11-26"
 * @returns null if there is none, or if nothing follows in this state
 */
export function describeNextStep(
  { nextStepOn, state }: { nextStepOn: string | null; state: TrackerState },
  today: string,
): NextStep | null {
  if (!nextStepOn || endedStates.some((ended) => ended === state)) return null;
  const date = formatDay(nextStepOn);
  if (nextStepOn < today) return { label: `Overdue since ${date}`, due: "overdue" };
  if (nextStepOn === today) return { label: "Next step today", due: "today" };
  const isTomorrow = Date.parse(nextStepOn) - Date.parse(today) === day;
  return { label: `Next step ${isTomorrow ? "tomorrow" : date}`, due: "later" };
}

/** "Nov 24, 2026" for "2026-11-24" */
export function formatDay(date: string): string {
  return formatShortDate(getDayStart(date));
}

/** Describes an answer that was given: "You said “Not yet”." */
export function describeReplyAnswer(answer: ReplyOutcome): string {
  return answer === "withdrawn"
    ? "You withdrew your answer."
    : `You said “${replyLabels[answer]}”.`;
}

/** Rules for displaying jobs: labels and texts. */
import { countDaysBetween } from "../platform/clock.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { truncateToCharacters } from "../platform/text/cut-text.ts";

export const jobTypes = ["Full-time", "Part-time", "Internship"] as const;
export type JobType = (typeof jobTypes)[number];

/**
 * Formats a job's age from its full elapsed days. A week has 7 days and a month 30.
 *
 * @returns "Today", "Yesterday", "3 days ago", "1 week ago", "2 months ago"
 */
export function formatPostedAge(postedAt: Date, moment: Date): string {
  const days = countDaysBetween(postedAt, moment);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return formatAgo(days, "day");
  if (days < 30) return formatAgo(Math.floor(days / 7), "week");
  return formatAgo(Math.floor(days / 30), "month");
}

function formatAgo(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** The maximum number of characters of a summary on a card. */
export const summaryLength = 400;

/** Cuts a summary for a card to `summaryLength` characters, with an ellipsis. */
export function truncateSummary(text: string): string {
  return truncateText(text, summaryLength);
}

/** Cuts a text to `length` characters, with an ellipsis. */
export function truncateText(text: string, length: number): string {
  const beginning = truncateToCharacters(text, length);
  return beginning === text ? text : `${beginning.trimEnd()}…`;
}

/** Splits a text into paragraphs at line breaks. */
export function splitIntoParagraphs(text: string): string[] {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Shown with a listing that several people reported, until an admin decides. */
export const reportedNotice = "Reported. We are checking this listing.";

/** The public fields of an open job. */
export type PublicJob = {
  id: string;
  title: string;
  company: string;
  location: string;
  jobType: JobType;
  description: string;
};

/** The texts about a job that everyone sees, made from its row. */
export type JobTexts = {
  /** The places and the work mode of the details, such as "Bengaluru · Hybrid"; otherwise the location. */
  place: string;
  /** The compensation; otherwise the pay of the details. Null if neither is stated. */
  pay: string | null;
  /** The coordinates of the first known city, formatted as on a map. */
  coordinates: [string, string] | null;
};

/** The badge of a job without stated pay. */
export const payUnstated = "Pay not stated";

/** A detail for the page of a job. A value has the address of the jobs with the same value. */
export type JobFact = { label: string; values: { text: string; to: OwnPath | null }[] };

/** Joins names: "Kerala", "Kerala or Goa", "Kerala, Goa or Nepal". */
export function joinWithOr(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${last}` : last;
}

/** The fields that only signed-in people can see. */
export type JobContacts = {
  pocName: string | null;
  pocContact: string | null;
  portalApplicationLink: string | null;
  directApplicationLink: string | null;
};

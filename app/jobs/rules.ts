/** What a job is to those who read the board: its labels and its texts. */
import { countDaysBetween } from "../platform/clock.ts";
import { truncateToCharacters } from "../platform/text/cut-text.ts";

export const jobTypes = ["Full-time", "Part-time", "Internship"] as const;
export type JobType = (typeof jobTypes)[number];

/**
 * How long ago a job was posted, in whole elapsed days; a week has 7 and a month 30.
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

/** A card shows this many characters of a summary. */
export const summaryLength = 400;

/** A summary as cards show it: cut, with an ellipsis, when it is longer than `summaryLength` characters. */
export function truncateSummary(text: string): string {
  return truncateText(text, summaryLength);
}

/** A text of `length` characters at most, with an ellipsis where it was cut. */
export function truncateText(text: string, length: number): string {
  const beginning = truncateToCharacters(text, length);
  return beginning === text ? text : `${beginning.trimEnd()}…`;
}

/** The paragraphs of a text, which are parted by line breaks. */
export function splitIntoParagraphs(text: string): string[] {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** What everybody may know of an open job. */
export type PublicJob = {
  id: string;
  title: string;
  company: string;
  location: string;
  jobType: JobType;
  compensation: string | null;
  description: string;
};

/** What only signed-in people get to know of a job. */
export type JobContacts = {
  pocName: string | null;
  pocContact: string | null;
  portalApplicationLink: string | null;
  directApplicationLink: string | null;
};

/** What a job is to those who read the board: its labels and its texts. */
import { wholeDaysBetween } from "../platform/clock.ts";

export const jobTypes = ["Full-time", "Part-time", "Internship"] as const;
export type JobType = (typeof jobTypes)[number];

/**
 * How long ago a job was posted, in whole elapsed days; a week has 7 and a month 30.
 *
 * @returns "Today", "Yesterday", "3 days ago", "1 week ago", "2 months ago"
 */
export function postedAge(postedAt: Date, moment: Date): string {
  const days = wholeDaysBetween(postedAt, moment);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return ago(days, "day");
  if (days < 30) return ago(Math.floor(days / 7), "week");
  return ago(Math.floor(days / 30), "month");
}

function ago(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** A card shows this many characters of a summary. */
export const summaryLength = 400;

/** Made once, and only where a text is cut. */
let graphemes: Intl.Segmenter | undefined;

/** A summary as cards show it: cut, with an ellipsis, when it is longer than `summaryLength` characters. */
export function cutSummary(text: string): string {
  return cutText(text, summaryLength);
}

/** A text of `length` characters at most, with an ellipsis where it was cut. */
export function cutText(text: string, length: number): string {
  const end = endOfCharacters(text, length);
  if (end === text.length) return text;
  // A flag or a Devanagari syllable is several code points: it stays whole or goes.
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const whole = graphemes.segment(text.slice(0, end + 100)).containing(end)?.index ?? end;
  return `${text.slice(0, whole).trimEnd()}…`;
}

/** The index behind the first `count` code points. */
function endOfCharacters(text: string, count: number): number {
  let end = 0;
  for (let seen = 0; seen < count && end < text.length; seen++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end;
}

/** The paragraphs of a text, which are parted by line breaks. */
export function paragraphs(text: string): string[] {
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

/** What a job is to those who read the board: its labels, its texts, and the ways to apply. */
import { wholeDaysBetween } from "../platform/clock.ts";
import { takeCharacters } from "../platform/cut-text.ts";
import type { Toast } from "../platform/app-context.server.ts";

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

/** A summary as cards show it: cut, with an ellipsis, when it is longer than `summaryLength` characters. */
export function cutSummary(text: string): string {
  return cutText(text, summaryLength);
}

/** A text of `length` characters at most, with an ellipsis where it was cut. */
export function cutText(text: string, length: number): string {
  const beginning = takeCharacters(text, length);
  return beginning === text ? text : `${beginning.trimEnd()}…`;
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

/** What happens when somebody applies or makes contact: a page, a mail, or something to tell them. */
export type Way =
  | { kind: "page"; url: string }
  | { kind: "mail"; url: string }
  | { kind: "toast"; toast: Toast };

export const waysToApply = ["portal", "poc"] as const;
export type StepName = (typeof waysToApply)[number];

/** @param contacts null for a visitor */
export function wayOf(name: StepName, contacts: JobContacts | null): Way {
  return name === "portal" ? wayToPortal(contacts) : wayToPoc(contacts);
}

function wayToPortal(contacts: JobContacts | null): Way {
  if (!contacts)
    return authenticationRequired("Please sign in or create an account to apply for jobs.");
  const url = webLink(contacts.portalApplicationLink);
  if (url) return { kind: "page", url };
  return toastOf("Application Link Missing", "This job doesn't have a portal application link.");
}

function wayToPoc(contacts: JobContacts | null): Way {
  if (!contacts)
    return authenticationRequired("Please sign in or create an account to access contact details.");
  const contact = contactValue(contacts);
  if (!contact)
    return toastOf(
      "Contact Information Missing",
      "This job doesn't have direct contact information.",
    );
  const url = webLink(contact);
  if (url) return { kind: "page", url };
  const mail = mailLink(contact);
  if (mail) return { kind: "mail", url: mail };
  return {
    kind: "toast",
    toast: { kind: "info", title: "Contact POC Directly", description: contact },
  };
}

/** The value that "Contact POC Directly" uses; null when the job has none. */
export function contactValue({ pocContact, directApplicationLink }: JobContacts): string | null {
  return pocContact?.trim() || directApplicationLink?.trim() || null;
}

/** The address of a web page, or null for anything else, such as a script in the guise of a link. */
export function webLink(value: string | null): string | null {
  const text = value?.trim() ?? "";
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

const mailAddress = /^([^\s@<>(),;:"[\]\\]+)@([^\s@<>(),;:"[\]\\.]+(?:\.[^\s@<>(),;:"[\]\\.]+)+)$/u;

function mailLink(value: string): string | null {
  const [, person, host] = mailAddress.exec(value) ?? [];
  return person && host ? `mailto:${encodeURIComponent(person)}@${encodeURIComponent(host)}` : null;
}

function authenticationRequired(description: string): Way {
  return toastOf("Authentication Required", description);
}

function toastOf(title: string, description: string): Way {
  return { kind: "toast", toast: { kind: "error", title, description } };
}

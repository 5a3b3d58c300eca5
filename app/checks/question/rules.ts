/** Rules for asking a listing's contact if the job is still open. Safe for the browser. */
import { day, formatLongDate, hour } from "../../platform/clock.ts";

export const answers = ["open", "filled", "closed", "withdrawn"] as const;
export type Answer = (typeof answers)[number];

/** An answer about the job, as opposed to one about the contact. */
export type JobAnswer = Exclude<Answer, "withdrawn">;

/** The links in an email work for this long. A reminder also extends the first link. */
export const linkLifetime = 21 * day;

/** Questions are deleted this long after they were asked. */
export const questionRetention = 30 * day;

/** A question is asked within this time after its date. Later, only staff check the listing. */
export const askWithin = 7 * day;

/** An address gets at most one email in this time. It is less than a day, since tasks don't run to the minute. */
export const mailInterval = 20 * hour;

/** The listings that one email asks about, and the emails to all contacts in a day. */
export const maxListingsPerMail = 20;
export const maxMailsPerDay = 200;

const answerTexts: Record<Answer, string> = {
  open: "you told us that this job is still open",
  filled: "you told us that this job is filled",
  closed: "you told us that this job is closed",
  withdrawn: "we removed your name and address",
};

/** Describes an answer to the contact: "On November 26, 2026, you told us that this job is filled." */
export function describeAnswer(answer: Answer, answeredAt: Date): string {
  return `On ${formatLongDate(answeredAt)}, ${answerTexts[answer]}.`;
}

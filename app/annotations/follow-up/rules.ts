/** The rules of the question that a customer can ask about a completed review; safe for the browser. */
import { hour } from "../../platform/clock.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { truncateToCharacters } from "../../platform/text/cut-text.ts";

/** The time in which it is answered. */
export const answeredWithin = 48 * hour;

/** The time after which an unanswered question is admins' work. */
export const escalatedAfter = 36 * hour;

export const followUpLimits = { min: 20, question: 1_000, answer: 2_000 };

const { min, question, answer } = followUpLimits;

export const followUpMessages = {
  questionTooShort: `Please write at least ${min} characters, so that your reviewer knows what you need`,
  questionTooLong: `Please keep your question within ${formatIndianNumber(question)} characters`,
  answerTooShort: `Please write at least ${min} characters`,
  answerTooLong: `Please keep the answer within ${formatIndianNumber(answer)} characters`,
  remarkRemoved: "This remark is no longer part of the review. Please choose another one.",
  alreadyAsked:
    "You've already asked your question about this review. This text wasn't sent; copy it if you need it.",
  tooLate: "The time to ask about this review is over. Your text wasn't sent.",
  refunded: "This review was refunded, so nothing more is asked or answered.",
  notYours:
    "This question is no longer yours to answer. Copy your text if you need it: it wasn't saved.",
  alreadyAnswered: "This question has already been answered. This text wasn't sent.",
  changed: "This text was changed in another tab or window. Choose which one to keep.",
  notOpen: "This question has been answered, or its review was refunded.",
  alreadyTheirs: "This question is already with this reviewer",
  ownReview: "This reviewer bought the review. Please select another one.",
} as const;

/** A draft on the server; `version` counts its saves. */
export type FollowUpDraft = { text: string; remark: string; version: number };

/** A question or an answer that was sent, with the id of its remark. */
export type FollowUpText = { text: string; remark: string | null; on: string };

/** A remark that a question or an answer can name. */
export type NamedRemark = { id: string; number: number; text: string };

/** Formats the option of a remark: "Remark 4: Lead with the outcome of each…". */
export function formatRemarkOption({ number, text }: NamedRemark): string {
  const line = text.replace(/\s+/g, " ");
  const start = truncateToCharacters(line, maxOptionLength);
  return `Remark ${number}: ${start}${start === line ? "" : "…"}`;
}

const maxOptionLength = 60;

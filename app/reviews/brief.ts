/** The customer's brief and its limits; safe for the browser. */
import { formatIndianNumber } from "../platform/numbers.ts";
import { countNoun } from "../platform/count-noun.ts";
import { listWishLabels, type Wish } from "./fields-and-languages.ts";

/** The goal of a review. A customer without one has no brief: null. */
export type Brief = {
  /** The target role in the customer's words, or the title of a job on our board. */
  role: string | null;
  /** The company of a job on our board; null for a role in their own words. */
  company: string | null;
  /** Completed years of experience. */
  years: number | null;
  /** In order; none is empty. */
  questions: string[];
  /** Absent without a wish for a reviewer. */
  wish?: Wish;
};

/** A customer's question; the answer is null until a reviewer writes one. */
export type Question = { position: number; question: string; answer: string | null };

/** The brief of a review, with the reviewer's answers. The wish is only for admins. */
export type ReviewBrief = Omit<Brief, "questions" | "wish"> & { questions: Question[] };

export const questionFields = ["question1", "question2", "question3"] as const;
export const briefFields = [
  "targetRole",
  "years",
  ...questionFields,
  "wishedField",
  "wishedLanguage",
] as const;

/** The form's fields as typed; "" for empty ones. */
export type TypedBrief = Record<(typeof briefFields)[number], string>;

/** The brief for the payment step. */
export type OfferedBrief = {
  /** The initial values of the fields. */
  typed: TypedBrief;
  /**
   * The saved brief, encoded. A form that sends the same one does not overwrite a later save in another tab.
   */
  kept: string;
  /** A one-line summary; "" for an empty brief. */
  inShort: string;
  /** A summary of an earlier review's brief that can be reused; null if there is a saved brief. */
  last: string | null;
  isOpen: boolean;
  /** Names of open jobs. */
  jobs: string[];
  /** The choices of the wish. */
  wishes: { fields: Option[]; languages: Option[] };
};

type Option = { value: string; label: string };

export const briefLimits = { role: 200, years: 60, question: 300, answer: 2_000 };

export const briefMessages = {
  roleTooLong: `Please keep the target role within ${briefLimits.role} characters`,
  yearsUnknown: `Please enter whole years from 0 to ${briefLimits.years}, or leave this empty`,
  questionTooLong: `Please keep the question within ${briefLimits.question} characters`,
  answerTooLong: `Please keep the answer within ${formatIndianNumber(briefLimits.answer)} characters`,
  fieldUnknown: "Please choose a field from the list",
  languageUnknown: "Please choose a language from the list",
  answerChanged: "This answer was changed in another tab or window.",
} as const;

/** Converts a brief to form fields; all empty without a brief. */
export function toTypedBrief(brief: Brief | null): TypedBrief {
  const [question1 = "", question2 = "", question3 = ""] = brief?.questions ?? [];
  return {
    targetRole: (brief && formatTargetRole(brief)) ?? "",
    years: String(brief?.years ?? ""),
    question1,
    question2,
    question3,
    wishedField: brief?.wish?.field ?? "",
    wishedLanguage: brief?.wish?.language ?? "",
  };
}

/** Encodes the fields of a brief, for comparison. */
export function encodeBrief(typed: TypedBrief): string {
  return JSON.stringify(briefFields.map((name) => typed[name]));
}

/** Formats a target: "Product Designer at Sample Studio", or the customer's own words. */
export function formatTargetRole({
  role,
  company,
}: Pick<Brief, "role" | "company">): string | null {
  return role && company ? formatJobName({ title: role, company }) : role;
}

/** Formats a job in one line, which also identifies it in a form. */
export function formatJobName({ title, company }: { title: string; company: string }): string {
  return `${title.trim()} at ${company.trim()}`;
}

/** Formats years: 1 → "1 year", 0 → "Less than a year". */
export function formatYears(years: number): string {
  if (years === 0) return "Less than a year";
  return countNoun(years, "year");
}

/** Formats a summary: "Product Designer at Sample Studio, 4 years, 2 questions, wish: Tamil". */
export function formatBriefSummary({ questions, years, wish, ...target }: Brief): string {
  const count = questions.length;
  return [
    formatTargetRole(target),
    years !== null && formatYears(years),
    count > 0 && countNoun(count, "question"),
    wish && `wish: ${listWishLabels(wish).join(", ")}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Formats the number of questions without an answer; null when all have one. */
export function formatUnansweredCount(answers: readonly string[]): string | null {
  const open = answers.filter((answer) => !answer).length;
  if (open === 0) return null;
  return open === 1 ? "1 question has no answer yet." : `${open} questions have no answer yet.`;
}

/** The types of proposed details. Safe for the browser. */
import type { JobDetails } from "../details.ts";
import type { JobType } from "../rules.ts";

/** The texts of a listing that proposals quote. */
export type JobTexts = {
  title: string;
  location: string;
  compensation: string | null;
  description: string;
  largeDescription: string | null;
};

/** The facts that proposals depend on. */
export type ProposalSource = JobTexts & { jobType: JobType };

/** A part of one of the listing's texts. The end is exclusive, in UTF-16 units. */
type Quote = { from: keyof JobTexts; start: number; end: number };

/** Details that a listing's text states, with the words that state them. */
export type Proposal = {
  /** Unique within the listing, such as "pay" or "skill-1". */
  key: string;
  values: Partial<JobDetails>;
  quote: Quote;
};

/** A found part of a text. The end is exclusive. */
export type Found<Value> = { value: Value; start: number; end: number };

export function getQuotedText(texts: JobTexts, { from, start, end }: Quote): string {
  return (texts[from] ?? "").slice(start, end);
}

/** The start of the names of the boxes. The proposal's key follows. */
export const chosenPrefix = "use-";

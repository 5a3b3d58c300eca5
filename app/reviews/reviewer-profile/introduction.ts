/** How reviewers describe themselves; safe for the browser. */

/** A reviewer's introduction for their customers. */
export type Introduction = {
  firstName: string;
  /** Their field of work, as in "product design". */
  field: string;
  /** A line about them; may be empty. */
  about: string;
};

/** The texts that screens show of a reviewer. */
export type ShownReviewer = {
  /** The first character of their first name. */
  initial: string;
  /** "Meera, product design" */
  name: string;
  about: string;
  /** Their fields, languages and record. Empty unless they agreed to show these to everyone. */
  facts: string[];
};

/** A reviewer as a card. */
export type ReviewerCard = Pick<ShownReviewer, "initial" | "name"> & { lines: string[] };

/** The length limits in characters. */
export const introductionLimits: Record<keyof Introduction, number> = {
  firstName: 40,
  field: 60,
  about: 200,
};

/** Formats a name and field: "Meera, product design". */
export function formatNameAndField({ firstName, field }: Omit<Introduction, "about">): string {
  return `${firstName}, ${field}`;
}

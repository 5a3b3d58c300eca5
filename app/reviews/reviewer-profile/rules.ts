/** What a reviewer says of themselves to those whose work they read; safe for the browser. */

export type Introduction = {
  firstName: string;
  /** What they work in, as in "product design". */
  field: string;
  /** A line about them; may be empty. */
  about: string;
};

/** In characters. */
export const introductionLimits: Record<keyof Introduction, number> = {
  firstName: 40,
  field: 60,
  about: 200,
};

/** "Meera, product design" */
export function nameAndField({ firstName, field }: Introduction): string {
  return `${firstName}, ${field}`;
}

import { firstCharacter } from "../../platform/text.ts";

/** Who reads a customer's work, in that reviewer's own words. */
export function YourReviewer({ reviewer }: { reviewer: Introduction }) {
  const { firstName, about } = reviewer;
  return (
    <div className="your-reviewer">
      {/* Older browsers divide Indic names otherwise than the server. */}
      <span className="your-reviewer-mark" aria-hidden="true" suppressHydrationWarning>
        {firstCharacter(firstName).toUpperCase()}
      </span>
      <p>
        <span className="your-reviewer-name">
          Your reviewer: <strong>{nameAndField(reviewer)}</strong>
        </span>
        {about && <span className="your-reviewer-about">{about}</span>}
      </p>
    </div>
  );
}

/** What a reviewer says of themselves to those whose work they read. */
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

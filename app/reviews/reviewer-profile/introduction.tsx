import { StationCard } from "../../ui/layout/station-card.tsx";
import * as styles from "./reviewer-profile.module.css";

/** Renders a reviewer's introduction for the customer. */
export function YourReviewer({ reviewer }: { reviewer: Introduced }) {
  return (
    <div className={styles.yourReviewer}>
      <StationCard
        initial={reviewer.initial}
        name={`Your reviewer: ${formatNameAndField(reviewer)}`}
      >
        {reviewer.about && <p>{reviewer.about}</p>}
      </StationCard>
    </div>
  );
}

/** A reviewer's introduction for their customers. */
export type Introduction = {
  firstName: string;
  /** Their field of work, as in "product design". */
  field: string;
  /** A line about them; may be empty. */
  about: string;
};

/**
 * An introduction with the first character of the name. The server computes it, since older browsers split
 * Indic characters differently.
 */
export type Introduced = Introduction & { initial: string };

/** The length limits in characters. */
export const introductionLimits: Record<keyof Introduction, number> = {
  firstName: 40,
  field: 60,
  about: 200,
};

/** Formats a name and field: "Meera, product design". */
export function formatNameAndField({ firstName, field }: Introduction): string {
  return `${firstName}, ${field}`;
}

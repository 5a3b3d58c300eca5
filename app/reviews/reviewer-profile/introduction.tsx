import { StationCard } from "../../ui/layout/station-card.tsx";
import * as styles from "./reviewer-profile.module.css";

/** Renders a reviewer for their customer. */
export function YourReviewer({ reviewer: { initial, name, lines } }: { reviewer: ReviewerCard }) {
  return (
    <div className={styles.yourReviewer}>
      <StationCard initial={initial} name={`Your reviewer: ${name}`}>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
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

/** A reviewer in ready texts. */
export type ShownReviewer = {
  /** The first character of their first name. */
  initial: string;
  /** "Meera, product design" */
  name: string;
  about: string;
  /** What they know, and their record; empty for reviewers who did not agree to be shown to everyone. */
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

import { StationCard } from "../../ui/layout/station-card.tsx";
import type { ReviewerCard } from "./introduction.ts";
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

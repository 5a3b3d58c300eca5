import { ratingNames, type RatingView } from "./rules.ts";
import * as styles from "./rating.module.css";
import * as scaleBarStyles from "../scale-bar.module.css";

/** Renders the customer's rating, for the reviewer and admins; nothing without one. */
export function GivenRating({
  rating,
  level: Heading = "h2",
}: {
  rating: RatingView | null;
  level?: "h2" | "h3";
}) {
  if (!rating) return null;
  return (
    <section className={styles.rating} aria-labelledby="rating-title">
      <Heading id="rating-title">What the customer thought of it</Heading>
      <RatingSummary rating={rating} />
    </section>
  );
}

/** Renders a rating with its comment and date. */
export function RatingSummary({ rating: { rating, words, ratedOn } }: { rating: RatingView }) {
  return (
    <figure className={styles.given}>
      <p>
        <span className={`${scaleBarStyles.scaleBar} ${styles.bar}`} aria-hidden="true">
          <span style={{ width: `${rating * 20}%` }} />
        </span>
        <strong>{rating} of 5</strong>
        <span>{ratingNames[rating - 1]}</span>
      </p>
      {words && <blockquote>{words}</blockquote>}
      <figcaption>{ratedOn}</figcaption>
    </figure>
  );
}

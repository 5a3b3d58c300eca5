import { Form } from "react-router";
import type { OwnPath } from "../../platform/own-path.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import { RatingSummary } from "./given-rating.tsx";
import { type OwnRating, ratingLimits, ratingNames } from "./rules.ts";
import * as styles from "./rating.module.css";

/** Renders the rating form below a result. A rating can be changed for a week. */
export function RateReview({
  reviewId,
  rating,
  refused,
}: {
  reviewId: string;
  rating: OwnRating | null;
  /** The refused form, with the typed values. */
  refused: { errors: Record<string, string>; values: Record<string, string> } | undefined;
}) {
  if (rating && !rating.changeableUntil)
    return (
      <section id="rating" className={styles.rating} aria-labelledby="rating-title">
        <h2 id="rating-title">Your rating</h2>
        <RatingSummary rating={rating} />
      </section>
    );
  const { errors = {}, values = {} } = refused ?? {};
  const chosen = values.rating ?? String(rating?.rating ?? "");
  return (
    <section id="rating" className={styles.rating} aria-labelledby="rating-title">
      <h2 id="rating-title">{rating ? "Your rating" : "How useful was this review?"}</h2>
      <Form
        method="post"
        action={`/service-review/${reviewId}` satisfies OwnPath}
        preventScrollReset
        noValidate
      >
        <FormAlert>{errors[""] ?? errors.rating}</FormAlert>
        <input type="hidden" name="intent" value="rate" />
        {/* The key resets the choice when another tab has saved a rating. */}
        <fieldset key={rating?.rating} className={styles.scale}>
          <legend className="sr-only">How useful it was, from 1 to 5</legend>
          {ratingNames.map((name, index) => (
            <label key={name}>
              <input
                type="radio"
                name="rating"
                value={index + 1}
                defaultChecked={chosen === String(index + 1)}
                required
              />
              <b>{index + 1}</b>
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <TextAreaField
          label="In a line (optional)"
          name="words"
          rows={2}
          maxLength={ratingLimits.words}
          defaultValue={values.words ?? rating?.words ?? ""}
          error={errors.words}
          hint="Only your reviewer and our admins can read it."
        />
        <div className={styles.end}>
          <SubmitButton variant="secondary" pendingLabel="Saving...">
            {rating ? "Change rating" : "Send rating"}
          </SubmitButton>
          <p>
            {rating?.changeableUntil
              ? `Given on ${rating.ratedOn}. You can change it until ${rating.changeableUntil}.`
              : "You can change it for a week."}
          </p>
        </div>
      </Form>
    </section>
  );
}

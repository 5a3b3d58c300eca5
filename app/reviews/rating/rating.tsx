import { Form } from "react-router";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import { type OwnRating, ratingLimits, ratingNames, type ShownRating } from "./rules.ts";

/** Below a result: what its customer thinks of it, asked once, and open to change for a week. */
export function RateReview({
  reviewId,
  rating,
  refused,
}: {
  reviewId: string;
  rating: OwnRating | null;
  /** The form as it was refused, with what was typed. */
  refused: { errors: Record<string, string>; values: Record<string, string> } | undefined;
}) {
  if (rating && !rating.changeableUntil)
    return (
      <section id="rating" className="rating" aria-labelledby="rating-title">
        <h2 id="rating-title">Your rating</h2>
        <RatingShown rating={rating} />
      </section>
    );
  const { errors = {}, values = {} } = refused ?? {};
  const chosen = values.rating ?? String(rating?.rating ?? "");
  return (
    <section id="rating" className="rating" aria-labelledby="rating-title">
      <h2 id="rating-title">{rating ? "Your rating" : "How useful was this review?"}</h2>
      <Form method="post" action={`/service-review/${reviewId}`} preventScrollReset noValidate>
        <FormAlert>{errors[""] ?? errors.rating}</FormAlert>
        <input type="hidden" name="intent" value="rate" />
        <fieldset className="rating-scale">
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
          hint="Your reviewer and our administrators read it; nobody else."
        />
        <div className="rating-end">
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

/** What the customer thought of it, for the reviewer and admins; nothing while they have not said. */
export function GivenRating({
  rating,
  level: Heading = "h2",
}: {
  rating: ShownRating | null;
  level?: "h2" | "h3";
}) {
  if (!rating) return null;
  return (
    <section className="rating" aria-labelledby="rating-title">
      <Heading id="rating-title">What the customer thought of it</Heading>
      <RatingShown rating={rating} />
    </section>
  );
}

/** A rating in a line, with what was written and when it was given. */
function RatingShown({ rating: { rating, words, ratedOn } }: { rating: ShownRating }) {
  return (
    <figure className="rating-given">
      <p>
        <span className="scale-bar rating-bar" aria-hidden="true">
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

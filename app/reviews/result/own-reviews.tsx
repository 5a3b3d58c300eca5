import { Link } from "react-router";
import { Badge } from "../../ui/layout/card.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { MaterialLinks } from "../material-links.tsx";
import { serviceLabel, statusBadge } from "../rules.ts";
import type { Material } from "../materials.ts";

export type ListedReview = {
  id: string;
  serviceType: string;
  status: string;
  submittedOn: string;
  materials: Material[];
};

/**
 * A page of a customer's reviews, in a list that scrolls by itself.
 *
 * @param after the cursor behind which it begins; null for the newest
 * @param next the cursor of the page behind it
 */
export function OwnReviews({
  reviews,
  after,
  next,
}: {
  reviews: ListedReview[];
  after: string | null;
  next: string | null;
}) {
  if (reviews.length === 0) {
    return (
      <div className="own-reviews">
        <EmptyState
          title="No reviews found."
          drawing="table"
          level={3}
          action={<ButtonLink to="/services">Start a Review</ButtonLink>}
        />
      </div>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className="own-reviews scroll-area" aria-label="Your reviews" tabIndex={0}>
      <ul>
        {reviews.map((review) => (
          <ReviewCard key={review.id} review={review} />
        ))}
      </ul>
      {(after || next) && (
        <p className="own-reviews-pages">
          {after && (
            <Link to="/profile" preventScrollReset>
              Newest reviews
            </Link>
          )}
          {next && (
            <Link to={`/profile?after=${next}`} preventScrollReset>
              Older reviews
            </Link>
          )}
        </p>
      )}
    </section>
  );
}

function ReviewCard({ review }: { review: ListedReview }) {
  const { id, serviceType, status, submittedOn, materials } = review;
  const badge = statusBadge(status);
  return (
    <li className="own-review">
      <h3>{serviceLabel(serviceType)}</h3>
      {badge && (
        <p className="own-review-status">
          <Badge tone={badge.tone}>{badge.label}</Badge>
        </p>
      )}
      <p className="own-review-date">Submitted on {submittedOn}</p>
      <MaterialLinks materials={materials} />
      {status === "completed" && (
        <ButtonLink
          to={`/service-review/${id}`}
          variant="secondary"
          size="sm"
          // Its policy on images from elsewhere comes with the document.
          reloadDocument
          aria-label={`View Details of ${serviceLabel(serviceType)}, submitted on ${submittedOn}`}
        >
          View Details
        </ButtonLink>
      )}
    </li>
  );
}

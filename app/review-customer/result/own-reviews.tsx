import { PageThumbnail, type Thumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import { formatRupees } from "../../payments/money.ts";
import { formatRefundState, type RefundState } from "../../payments/refund-rules.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { StationLine } from "../../ui/layout/station-line.tsx";
import { Link } from "../../ui/link.tsx";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import type { Material } from "../../reviews/materials.server.ts";
import { getServiceLabel, toStatusBadge } from "../../reviews/rules.ts";
import { SecondLookBadge } from "../../reviews/second-look-badge.tsx";
import { listStations } from "../../reviews/due-dates/stations.ts";
import * as styles from "./results.module.css";
import * as noteStyles from "../../ui/layout/note.module.css";
import * as scrollAreaStyles from "../../ui/layout/scroll-area.module.css";

type ListedReview = {
  id: string;
  serviceType: string;
  secondLookOf: string | null;
  status: string;
  submittedOn: string;
  due: DueView | null;
  materials: Material[];
  refund: RefundState | null;
  /** Null without rendered pages. */
  cover: Thumbnail | null;
};

/**
 * A page of a customer's reviews, in a list that scrolls.
 *
 * @param after the cursor of this page; null for the newest
 * @param next the cursor of the next page
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
      <div className={styles.ownReviews}>
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
    <section
      className={`${styles.ownReviews} ${scrollAreaStyles.scrollArea}`}
      aria-label="Your reviews"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling must be possible by keyboard
      tabIndex={0}
    >
      <ul>
        {reviews.map((review) => (
          <ReviewCard key={review.id} review={review} />
        ))}
      </ul>
      {(after || next) && (
        <p className={styles.ownReviewsPages}>
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
  const { id, serviceType, secondLookOf, status, submittedOn, due, materials, refund, cover } =
    review;
  const badge = toStatusBadge(status);
  return (
    <li className={styles.ownReview}>
      <div className={styles.reviewCover}>
        <PageThumbnail thumbnail={cover} ratio={null} label="" />
      </div>
      <div className={styles.ownReviewTitle}>
        <h3>{getServiceLabel(serviceType)}</h3>
        <SecondLookBadge secondLookOf={secondLookOf} />
      </div>
      {badge && (
        <p className={styles.ownReviewStatus}>
          <Badge tone={badge.tone}>{badge.label}</Badge>
        </p>
      )}
      <div className={styles.ownReviewDate}>
        <p>
          Submitted on {submittedOn} <RefundBadge refund={refund} />
          {secondLookOf && (
            <>
              {" · "}
              {/* That page has its own policy on images, which comes with the document. */}
              <Link to={`/service-review/${secondLookOf}`} reloadDocument>
                Earlier review
              </Link>
            </>
          )}
        </p>
        {refund && <DueDate due={due} withDate />}
      </div>
      {!refund && (
        <StationLine {...listStations({ status, due })} end={<DueDate due={due} withDate />} />
      )}
      <MaterialLinks materials={materials} />
      {status === "completed" && (
        <ButtonLink
          to={`/service-review/${id}`}
          variant="secondary"
          size="sm"
          // That page has its own policy on images, which comes with the document.
          reloadDocument
          aria-label={`View Details of ${getServiceLabel(serviceType)}, submitted on ${submittedOn}`}
        >
          View Details
        </ButtonLink>
      )}
    </li>
  );
}

/** Shows a refund beside a review's status. */
export function RefundBadge({ refund }: { refund: RefundState | null }) {
  if (!refund) return null;
  return (
    <Badge tone={refund === "settled" ? "neutral" : "info"}>{formatRefundState(refund)}</Badge>
  );
}

/** Links to the submitted parts or to other files, which open in a new tab. */
export function MaterialLinks({
  materials,
}: {
  materials: (Omit<Material, "label"> & { label: string })[];
}) {
  if (materials.length === 0) return null;
  return (
    <ul className={styles.partLinks}>
      {materials.map(({ label, href, text, shownAs }) => (
        <li key={label}>
          {href ? (
            <a href={href} target="_blank" rel="noopener noreferrer" title={text}>
              <Icon name={shownAs === "link" ? "link" : "file"} />
              {label}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          ) : (
            `${label}: ${text}`
          )}
        </li>
      ))}
    </ul>
  );
}

type Unsettled = { orderId: string; service: string; amount: string; startedOn: string };

/** Lists payments that may still succeed, whose reviews are still to come. */
export function UnsettledPayments({ payments }: { payments: Unsettled[] }) {
  if (payments.length === 0) return null;
  return (
    <ul className={noteStyles.notes}>
      {payments.map(({ orderId, service, amount, startedOn }) => (
        <li key={orderId} className={noteStyles.note}>
          <Icon name="info" />
          <p>
            {service}: your payment of {formatRupees(Number(amount) * 100)}, started on {startedOn},
            is still being confirmed. The review appears here once it is.{" "}
            <Link to={`/payment-success?txnId=${orderId}`}>Check again</Link>
          </p>
        </li>
      ))}
    </ul>
  );
}

import { formatRupees } from "../../payments/money.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Link } from "../../ui/link.tsx";
import * as styles from "./results.module.css";

/** A customer's second look at a review: the offer, or the one that is under way. */
type SecondLookView = {
  offer: { pricePaise: number; turnaroundHours: number; until: string } | null;
  /** The newest second look that was bought. */
  latest: { id: string; boughtOn: string } | null;
};

/** Offers a second look at a completed review, and links to the newest that was bought. */
export function SecondLookOffer({
  reviewId,
  view: { offer, latest },
}: {
  reviewId: string;
  view: SecondLookView;
}) {
  if (!offer && !latest) return null;
  return (
    <Card
      title={offer ? "Get a second look" : "Your second look"}
      className={styles.secondLook}
      footer={
        offer && (
          <ButtonLink to={`/service-review/${reviewId}/second-look`} variant="secondary">
            {`Start for ${formatRupees(offer.pricePaise)}`}
          </ButtonLink>
        )
      }
    >
      {offer && (
        <p>
          Send your new version. A reviewer, the same one if possible, compares it with these
          remarks and reviews it within {offer.turnaroundHours} hours. You can buy it until{" "}
          {offer.until}.
        </p>
      )}
      {latest && (
        <p>
          <Link to={`/service-review/${latest.id}`} reloadDocument>
            View the second look
          </Link>{" "}
          that you bought on {latest.boughtOn}.
        </p>
      )}
    </Card>
  );
}

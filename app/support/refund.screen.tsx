import { decidedWithin } from "../payments/refund-rules.ts";
import { day, hour } from "../platform/clock.ts";
import { refundRequestPeriodMs } from "../review-customer/refunds/terms.ts";
import { offer } from "../reviews/rules.ts";
import { appContext } from "../platform/app-context.server.ts";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/refund.screen.ts";
import { refundPage } from "./pages.ts";
import { LegalPage, type LegalSection } from "./legal-page.tsx";
import { Link } from "../ui/link.tsx";

export const handle: PublicScreen = { page: refundPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, refundPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Refund({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Refund Policy"
      intro={`What the merchant behind ${product.name}, ${product.merchant}, cancels and refunds.`}
      sections={sections}
      product={product}
    />
  );
}

const sections: LegalSection[] = [
  {
    id: "cancellation",
    title: "Cancelling an order",
    text: (
      <>
        <p>
          An order can be cancelled only right after it was placed. Once shipping has started, a
          cancellation may be refused.
        </p>
        <p>Perishable items cannot be cancelled.</p>
      </>
    ),
  },
  {
    id: "damaged",
    title: "Damaged, defective or not as shown",
    text: (
      <p>
        Report an item that is damaged, defective or not as shown within 2 days of receipt. Tell us
        what you ordered and what is wrong with it.
      </p>
    ),
  },
  {
    id: "refunds",
    title: "When a refund arrives",
    text: <p>An approved refund takes 3-5 days to reach you.</p>,
  },
  {
    id: "reviews",
    title: "Review services",
    text: (
      <>
        <p>Resume and portfolio reviews are services; nothing is shipped. For them:</p>
        <ul>
          <li>{offer.standard}.</li>
          <li>Combined reviews with priority service are {offer.priority}.</li>
          <li>
            Materials cannot be changed after submission. To have changed materials reviewed, a new
            review must be bought.
          </li>
        </ul>
        <p>
          If something is wrong with a review that you bought, write to us with the transaction id
          of the payment; it begins with TXN_.
        </p>
      </>
    ),
  },
  {
    id: "review-refunds",
    title: "Refunds of reviews",
    text: (
      <>
        <p>
          For resume and portfolio reviews these terms go further than the general ones above; where
          the two differ, these hold. The buttons for them stand beside each payment under{" "}
          <Link to="/profile/payments">Payments</Link> of your profile.
        </p>
        <ul>
          <li>
            <strong>Not begun, or late:</strong> while nobody has begun to review your materials,
            and when a review is not there within the hours that were promised, you take the whole
            amount back at once. Nobody has to agree.
          </li>
          <li>
            <strong>Delivered:</strong> within {refundRequestPeriodMs / day} days of receipt you can
            ask for the whole amount back and say why. We decide within {decidedWithin / hour}{" "}
            hours, and you read the answer beside the payment.
          </li>
          <li>
            <strong>The money:</strong> an approved refund takes 3-5 days to reach you, by the way
            you paid.
          </li>
        </ul>
      </>
    ),
  },
];

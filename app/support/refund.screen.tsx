import { decidedWithin } from "../payments/refund-rules.ts";
import { day, hour } from "../platform/clock.ts";
import { refundRequestPeriodMs } from "../review-customer/refunds/terms.ts";
import { turnaround } from "../reviews/rules.ts";
import { appContext } from "../platform/app-context.server.ts";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/refund.screen.ts";
import { refundPage } from "./pages.ts";
import { LegalPage, type LegalSection } from "./legal-page.tsx";
import { Link } from "../ui/link.tsx";
import stylesheet from "./refund.screen.css?url";

export const handle: PublicScreen = { page: refundPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, refundPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Refund({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      stylesheet={stylesheet}
      title="Refund Policy"
      intro={`How cancellations and refunds work at ${product.name}. The merchant is ${product.merchant}.`}
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
          You can cancel an order only right after you place it. Once shipping has started, we may
          refuse a cancellation.
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
        Report a damaged, defective or not-as-shown item within 2 days of receipt. Tell us what you
        ordered and what is wrong with it.
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
        <p>Resume and portfolio reviews are services, so nothing is shipped. For reviews:</p>
        <ul>
          <li>{turnaround.standard}.</li>
          <li>Combined reviews with priority service are {turnaround.priority}.</li>
          <li>
            Materials cannot be changed after submission. To get changed materials reviewed, buy a
            new review.
          </li>
        </ul>
        <p>
          If something is wrong with your review, contact us with the transaction ID of the payment.
          It starts with TXN_.
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
          These terms for resume and portfolio reviews give you more than the general terms above.
          Where the two differ, these apply. To use them, go to{" "}
          <Link to="/profile/payments">Payments</Link> in your profile.
        </p>
        <ul>
          <li>
            <strong>Not started, or late:</strong> you can take a full refund until a reviewer
            starts on your materials, or if we don&apos;t deliver the review within the promised
            hours. You don&apos;t need our approval.
          </li>
          <li>
            <strong>Delivered:</strong> within {refundRequestPeriodMs / day} days of delivery, you
            can request a full refund and tell us why. We decide within {decidedWithin / hour}{" "}
            hours. You&apos;ll see our answer next to the payment.
          </li>
          <li>
            <strong>Second look:</strong> the same terms apply. The earlier review stays as it is.
          </li>
          <li>
            <strong>Timing:</strong> an approved refund takes 3-5 days to reach your original
            payment method.
          </li>
        </ul>
      </>
    ),
  },
];

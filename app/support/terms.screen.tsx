import { appContext } from "../platform/app-context.server.ts";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/terms.screen.ts";
import { termsPage } from "./pages.ts";
import { LegalPage, type LegalSection, type ProductFacts } from "./legal-page.tsx";
import { uploadRules } from "../files/rules.ts";
import { offer } from "../reviews/rules.ts";
import { Link } from "../ui/link.tsx";

export const handle: PublicScreen = { page: termsPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, termsPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Terms({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Terms and Conditions"
      intro={`The terms on which you use ${product.name}. By creating an account or buying a review you accept them.`}
      sections={buildTermsSections(product)}
      product={product}
    />
  );
}

/** The terms, section by section. */
function buildTermsSections({ name, merchant }: ProductFacts): LegalSection[] {
  return [
    {
      id: "who",
      title: "Who we are",
      text: (
        <p>
          {name} is a career platform for designers: a job board, and paid reviews of resumes and
          portfolios. It is a sole-proprietor business; the merchant is {merchant}. “We” means this
          merchant, “you” means whoever uses {name}.
        </p>
      ),
    },
    {
      id: "age",
      title: "Minimum age",
      text: <p>You must be at least 18 years old to use the service.</p>,
    },
    {
      id: "account",
      title: "Your account",
      text: (
        <ul>
          <li>Give your own name and an e-mail address that is yours; we have you confirm it.</li>
          <li>Keep your password to yourself. What is done from your account counts as yours.</li>
          <li>
            We may suspend an account that breaks these terms. Signing in then says until when.
          </li>
        </ul>
      ),
    },
    {
      id: "jobs",
      title: "The job board",
      text: (
        <>
          <p>
            Job postings are verified. Even so, the job is offered by the company named in it: it
            decides whom it employs and on what terms, and we promise neither an interview nor a
            job.
          </p>
          <p>
            Points of contact are shown to signed-in people so that they can ask about the job they
            stand beside. Use what you learn there for that, and for nothing else. Do not collect it
            and do not pass it on.
          </p>
        </>
      ),
    },
    {
      id: "reviews",
      title: "Review services",
      text: (
        <ul>
          <li>
            You buy one review of what you upload or link: a resume as {uploadRules.resume.types}, a
            portfolio as file or URL. Prices stand on the <Link to="/services">services page</Link>,
            in Indian rupees.
          </li>
          <li>
            {offer.standard}; combined reviews with priority service are {offer.priority}.
          </li>
          <li>
            Materials cannot be changed after submission; for changed materials, buy a new review.
          </li>
          <li>
            Reviewers may suggest edits and sometimes supply edited versions. A review is an opinion
            from the field and promises no result of an application.
          </li>
        </ul>
      ),
    },
    {
      id: "payment",
      title: "Payment and refunds",
      text: (
        <p>
          You pay on the page of PayU, our payment provider; we never see the number of your card. A
          review begins once PayU has confirmed the payment. Cancellation and refunds follow our{" "}
          <Link to="/refund">refund policy</Link>.
        </p>
      ),
    },
    {
      id: "subscription",
      title: "Job board subscription",
      text: (
        <p>
          A subscription opens the management of job postings to you. You can cancel it yourself, on
          the <Link to="/subscription">subscription page</Link>. Cancelling ends the subscription
          and the access at once and cannot be undone.
        </p>
      ),
    },
    {
      id: "materials",
      title: "What you upload and write",
      text: (
        <p>
          Your work stays yours. You allow us to store it and to show it to the people who review
          it, and no more. Upload only what you have the right to show; mind what you have promised
          to employers and clients.
        </p>
      ),
    },
    {
      id: "fair-use",
      title: "Fair use",
      text: (
        <p>
          Do not look for a way around access rules, do not flood the service with requests, upload
          nothing harmful, and do not pretend to be somebody else.
        </p>
      ),
    },
    {
      id: "liability",
      title: "What we answer for",
      text: (
        <p>
          We run the service with care, but not without interruption or error. As far as the law
          allows, we do not answer for losses that follow from an application, a job, or a decision
          made on the strength of a review.
        </p>
      ),
    },
    {
      id: "law",
      title: "Law and courts",
      text: (
        <p>
          These terms are governed by Indian law. Disputes belong before the courts in Jaipur,
          Rajasthan.
        </p>
      ),
    },
    {
      id: "changes",
      title: "Changes to these terms",
      text: (
        <p>
          When the terms change, the new ones stand on this page. What you have bought before stays
          under the terms that you bought it on.
        </p>
      ),
    },
  ];
}

import { appContext } from "../platform/app-context.server.ts";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/terms.screen.ts";
import { termsPage } from "./pages.ts";
import { LegalPage, type LegalSection, type ProductFacts } from "./legal-page.tsx";
import { uploadRules } from "../files/rules.ts";
import { verifiedMeaning } from "../jobs/check-rules.ts";
import { turnaround } from "../reviews/rules.ts";
import { Link } from "../ui/link.tsx";
import stylesheet from "./terms.screen.css?url";

export const handle: PublicScreen = { page: termsPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, termsPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Terms({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      stylesheet={stylesheet}
      title="Terms and Conditions"
      intro={`The terms for using ${product.name}. By creating an account or buying a review, you accept them.`}
      sections={buildTermsSections(product)}
      product={product}
    />
  );
}

function buildTermsSections({ name, merchant }: ProductFacts): LegalSection[] {
  return [
    {
      id: "who",
      title: "Who we are",
      text: (
        <p>
          {name} is a career platform for designers: a job board, and paid reviews of resumes and
          portfolios. It is a sole-proprietor business. The merchant is {merchant}. “We” means this
          merchant. “You” means the person using {name}.
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
          <li>Use your own name and your own email address. We ask you to confirm the address.</li>
          <li>
            Keep your password to yourself. You are responsible for what is done from your account.
          </li>
          <li>
            We may suspend an account that breaks these terms. You&apos;ll see until when if you try
            to log in.
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
            Job postings are verified. {verifiedMeaning} The company named in a posting offers the
            job. It decides whom to employ and on what terms. We don&apos;t promise an interview or
            a job.
          </p>
          <p>
            We show points of contact to signed-in people so that they can ask about that job. Use
            the details only for that purpose. Don&apos;t collect them or pass them on.
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
            portfolio as a file or URL. Prices are on the <Link to="/services">services page</Link>,
            in Indian rupees.
          </li>
          <li>
            {turnaround.standard}. Combined reviews with priority service are {turnaround.priority}.
          </li>
          <li>
            Materials cannot be changed after submission. To get changed materials reviewed, buy a
            new review.
          </li>
          <li>
            Reviewers may suggest edits and sometimes supply edited versions. A review is a
            professional opinion. It doesn&apos;t guarantee the result of an application.
          </li>
        </ul>
      ),
    },
    {
      id: "payment",
      title: "Payment and refunds",
      text: (
        <p>
          You pay on the pages of PayU, our payment provider. We never see your card number. A
          review starts once PayU has confirmed the payment. Our{" "}
          <Link to="/refund">refund policy</Link> applies to cancellations and refunds.
        </p>
      ),
    },
    {
      id: "subscription",
      title: "Job board subscription",
      text: (
        <p>
          A subscription lets you manage job postings. You can cancel it on the{" "}
          <Link to="/subscription">subscription page</Link>. Cancelling ends your subscription and
          access immediately, and can&apos;t be undone.
        </p>
      ),
    },
    {
      id: "materials",
      title: "What you upload and write",
      text: (
        <p>
          You keep all rights to your work. You allow us only to store it and show it to the people
          who review it. Upload only work you have the right to share, and respect your agreements
          with employers and clients.
        </p>
      ),
    },
    {
      id: "fair-use",
      title: "Fair use",
      text: (
        <p>
          Don&apos;t try to bypass access rules, overload the service with requests, upload anything
          harmful, or pretend to be another person.
        </p>
      ),
    },
    {
      id: "liability",
      title: "Liability",
      text: (
        <p>
          We run the service with care, but can&apos;t promise that it is free of interruptions or
          errors. As far as the law allows, we are not liable for losses from an application, a job,
          or a decision based on a review.
        </p>
      ),
    },
    {
      id: "law",
      title: "Law and courts",
      text: (
        <p>
          These terms are governed by Indian law. The courts in Jaipur, Rajasthan, decide disputes.
        </p>
      ),
    },
    {
      id: "changes",
      title: "Changes to these terms",
      text: (
        <p>
          If these terms change, we publish the new ones on this page. The terms at the time of your
          purchase still apply to what you bought.
        </p>
      ),
    },
  ];
}

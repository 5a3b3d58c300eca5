import { formatRupees } from "../../platform/money.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { type Service, type ServiceType, services } from "../rules.ts";

const offers: Record<ServiceType, { promise: string; brings: string[]; materials: string }> = {
  resume_review: {
    promise: "Read the way a hiring designer reads it, line by line.",
    brings: ["Story, order and proof of your work", "Layout, type and length", "What to cut"],
    materials: "Your resume as PDF or Word document, up to 10 MB",
  },
  portfolio_review: {
    promise: "Your case studies, seen with a stranger's eyes.",
    brings: [
      "What lands, and what gets lost",
      "Which project to lead with",
      "Notes on screenshots",
    ],
    materials: "Your portfolio as PDF, PNG or JPEG up to 50 MB, or a link",
  },
  combined_review: {
    promise: "Both read together, so that one backs up the other.",
    brings: [
      "Everything of both reviews",
      "One story across resume and portfolio",
      "Priority: first in line",
    ],
    materials: "Your resume, and your portfolio as file or link",
  },
};

/** One service with its price, and the way to begin; a visitor signs in first and comes back. */
export function PlanCard({ service, signedIn }: { service: Service; signedIn: boolean }) {
  const best = service.type === "combined_review";
  const { promise, brings, materials } = offers[service.type];
  return (
    <Card
      as="article"
      className="plan"
      tone={best ? "marked" : "plain"}
      title={
        <>
          {service.shortLabel}
          {best && <span className="best-value">BEST VALUE</span>}
        </>
      }
      subtitle={promise}
      footer={<Begin service={service} signedIn={signedIn} />}
    >
      <p className="plan-price">
        {formatRupees(service.pricePaise)}
        <small>{best ? <Arithmetic /> : "one review, paid once"}</small>
      </p>
      <ul className="plan-brings">
        {brings.map((line) => (
          <li key={line}>
            <Icon name="check" />
            {line}
          </li>
        ))}
      </ul>
      <dl className="plan-facts">
        <dt>Turnaround</dt>
        <dd>Within {service.turnaroundHours} hours</dd>
        <dt>You send</dt>
        <dd>{materials}</dd>
      </dl>
    </Card>
  );
}

/** The discount over buying both, reckoned from the price list. */
function Arithmetic() {
  const { resume_review, portfolio_review, combined_review } = services;
  const apart = resume_review.pricePaise + portfolio_review.pricePaise;
  return (
    <>
      instead of {formatRupees(resume_review.pricePaise)} +{" "}
      {formatRupees(portfolio_review.pricePaise)} = {formatRupees(apart)} for both:{" "}
      <strong>you save {formatRupees(apart - combined_review.pricePaise)}</strong>
    </>
  );
}

function Begin({ service, signedIn }: { service: Service; signedIn: boolean }) {
  const variant = service.type === "combined_review" ? "primary" : "secondary";
  const to = signedIn ? service.path : `/login?next=${encodeURIComponent(service.path)}`;
  return (
    <ButtonLink to={to} variant={variant} prefetch="intent">
      {signedIn ? `Start ${service.shortLabel}` : "Sign In to Continue"}
      {!signedIn && <span className="sr-only"> with {service.shortLabel}</span>}
    </ButtonLink>
  );
}

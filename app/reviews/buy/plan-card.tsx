import { formatBytes, uploadRules } from "../../files/rules.ts";
import { formatRupees } from "../../platform/money.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { offer, type Service, type ServiceType } from "../rules.ts";

const { resume, portfolio } = uploadRules;

const offers: Record<ServiceType, { promise: string; brings: string[]; materials: string }> = {
  resume_review: {
    promise: "Read the way a hiring designer reads it, line by line.",
    brings: ["Story, order and proof of your work", "Layout, type and length", "What to cut"],
    materials: `Your resume as ${resume.types}, up to ${formatBytes(resume.maxBytes)}`,
  },
  portfolio_review: {
    promise: "Your case studies, seen with a stranger's eyes.",
    brings: [
      "What lands, and what gets lost",
      "Which project to lead with",
      "Notes on screenshots",
    ],
    materials: `Your portfolio as ${portfolio.types} up to ${formatBytes(portfolio.maxBytes)}, or a link`,
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
  return (
    <>
      instead of {offer.resume} + {offer.portfolio} = {offer.apart} for both:{" "}
      <strong>you save {offer.saved}</strong>
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

import type { ReactNode } from "react";
import { formatRupees } from "../payments/money.ts";
import { appContext } from "../platform/app-context.server.ts";
import type { Testimonial } from "../platform/config.server.ts";
import { ExampleWay } from "../reviews/example/example-way.tsx";
import { offer, type Service, services } from "../reviews/rules.ts";
import { useLinkCapture } from "../accounts/mailed-link.ts";
import { ButtonLink } from "../ui/form/button.tsx";
import type { Route } from "./+types/home.screen.ts";
import { homePage } from "./pages.ts";
import { CareerMap } from "./career-map.tsx";
import { type PublicScreen, published } from "../ui/meta.ts";
import { Voices } from "../reviews/buy/voices.tsx";
import { useShell } from "./frame.tsx";
import styles from "./home.css?url";

export const handle: PublicScreen = { page: homePage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => published(matches, homePage);

export function loader({ context }: Route.LoaderArgs) {
  return { said: context.get(appContext).config.testimonials.slice(0, 2) };
}

export default function Home({ loaderData: { said } }: Route.ComponentProps) {
  useLinkCapture();
  const { product, dashboard } = useShell();
  const signedOut = !dashboard;
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <section className="hero">
        <CareerMap />
        <div className="hero-words">
          <h1>Launch your design career with real connections</h1>
          <p>
            {product.name} connects designers in India with real job opportunities, and with real
            people at those companies: points of contact (POC) who can guide your application.
          </p>
          <div className="hero-ways">
            <ButtonLink to="/jobs" prefetch="intent">
              Browse jobs
            </ButtonLink>
            {signedOut && (
              <ButtonLink to="/signup" variant="secondary">
                Create an account
              </ButtonLink>
            )}
          </div>
        </div>
      </section>
      <Reasons />
      <Services />
      <WhatTheySay said={said} />
      {signedOut && <Invitation />}
    </>
  );
}

function Reasons() {
  return (
    <section className="band">
      <div className="band-row reasons">
        <h2>Why Designers Choose Us</h2>
        <Reason
          title="Real POC Access"
          symbol={
            <path d="M20 36C9 23 7 19 7 15a13 13 0 0 1 26 0c0 4-2 8-13 21zM20 11a4 4 0 1 0 .1 0" />
          }
        >
          Jobs here come with a person who works there. Sign in, see how to reach them, and ask what
          the team is looking for before you apply.
        </Reason>
        <Reason
          title="Expert Reviews"
          symbol={<path d="M6 34 20 6l14 28zM20 24a2 2 0 1 0 .1 0M20 6V1" />}
        >
          Industry professionals and IIT alumni read your resume or portfolio page by page, and tell
          you what to keep, cut and show first.
        </Reason>
        <Reason
          title="Affordable Pricing"
          symbol={
            <path d="M20 3a17 17 0 1 0 .1 0M13 12h14M13 18h14M13 12h4c8 0 8 11 0 11h-4l10 9" />
          }
        >
          A review is paid once, from {offer.lowest}. Reading the job board costs nothing, with or
          without an account.
        </Reason>
      </div>
    </section>
  );
}

function Reason({
  title,
  symbol,
  children,
}: {
  title: string;
  symbol: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="reason">
      <svg viewBox="0 0 40 40" aria-hidden="true">
        {symbol}
      </svg>
      <h3>{title}</h3>
      <p>{children}</p>
    </div>
  );
}

const offers: Record<Service["type"], string> = {
  resume_review: "Your resume, read the way a hiring designer reads it: story, order, proof.",
  portfolio_review:
    "Your case studies by file or link: what lands, what is missing, what to lead with.",
  combined_review:
    "Resume and portfolio read together, so that one backs up the other. First in line.",
};

function Services() {
  const { resume_review, portfolio_review, combined_review } = services;
  return (
    <section className="band band-upland">
      <div className="band-row">
        <header className="band-head">
          <h2>Premium Review Services</h2>
          <p>Send your work, pay once, and get written feedback from a person in your field.</p>
        </header>
        <ul className="price-list">
          {[resume_review, portfolio_review, combined_review].map((service) => (
            <li
              key={service.type}
              className={service === combined_review ? "price-best" : undefined}
            >
              <h3>
                {service.shortLabel}
                {service === combined_review && <span className="best-value">BEST VALUE</span>}
              </h3>
              <p>{offers[service.type]}</p>
              <p className="price-time">Within {service.turnaroundHours} hours</p>
              <p className="price">
                {formatRupees(service.pricePaise)}
                {service === combined_review && (
                  <small>
                    {offer.resume} + {offer.portfolio} apart: you save {offer.saved}
                  </small>
                )}
              </p>
            </li>
          ))}
        </ul>
        <ButtonLink to="/services" prefetch="intent">
          See the review services
        </ButtonLink>
        <ExampleWay>
          <h3 className="mb-2">What comes back looks like this</h3>
          <p>
            Remarks on the very spot, what to do first, scores with their reasons. We made up a
            designer and reviewed her, so that you can read a whole one before you pay.
          </p>
        </ExampleWay>
      </div>
    </section>
  );
}

function WhatTheySay({ said }: { said: Testimonial[] }) {
  return (
    <section className="band">
      <div className="band-row">
        <h2>What Our Users Say</h2>
        <Voices said={said} samples={samples} />
      </div>
    </section>
  );
}

const samples: Testimonial[] = [
  {
    who: "Product designer, Bengaluru",
    says: "I had sent forty applications into portals. The first one I sent after talking to the contact on the listing got me a call within a week.",
  },
  {
    who: "Design student, Ahmedabad",
    says: "The reviewer told me to cut two of my five projects and to open with the smallest one. It was the first feedback that I could act on the same evening.",
  },
];

function Invitation() {
  return (
    <section className="band band-highland">
      <div className="band-row invitation">
        <div>
          <h2>Stop sending applications into the fog</h2>
          <p>With an account you see the people behind the jobs, and how to reach them.</p>
        </div>
        <ButtonLink to="/signup">Sign up</ButtonLink>
      </div>
    </section>
  );
}

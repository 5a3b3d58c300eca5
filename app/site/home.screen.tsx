import type { ReactNode } from "react";
import { preload } from "react-dom";
import { useViewTransitionState } from "react-router";
import { useLinkCapture } from "../accounts/mailed-link.ts";
import { formatRupees } from "../payments/money.ts";
import { appContext } from "../platform/app-context.server.ts";
import { now } from "../platform/clock.ts";
import type { ReviewPrices, Testimonial } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { withFallback } from "../platform/forms.server.ts";
import { listJobs, namesContact } from "../jobs/find.server.ts";
import { formatPostedAge, payUnstated } from "../jobs/rules.ts";
import { Testimonials } from "../review-customer/buy/voices.tsx";
import {
  buildExampleChange,
  buildExampleCrop,
} from "../review-customer/example/example-crop.server.ts";
import { ExampleCrop } from "../review-customer/example/example-crop.tsx";
import { formatPrices, type Service, services } from "../reviews/rules.ts";
import contours from "../ui/brand/contours.svg?no-inline";
import { Icon } from "../ui/brand/icon.tsx";
import { ButtonLink } from "../ui/form/button.tsx";
import { useRenderedByServer } from "../ui/hydrated.ts";
import { Badge } from "../ui/layout/card.tsx";
import { StationCard } from "../ui/layout/station-card.tsx";
import { Link } from "../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/home.screen.ts";
import { useShell } from "./frame.tsx";
import stylesheet from "./home.screen.css?url";
import { buildHomePage } from "./pages.ts";
import { ScriptMark } from "./script-mark.tsx";
import * as styles from "./home.module.css";
import * as bandsStyles from "./bands.module.css";
import * as badgeStyles from "../ui/layout/badge.module.css";

export const handle: PublicScreen = { page: buildHomePage, isCached: true };

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData && buildPublicMeta(matches, buildHomePage(loaderData.prices));

export async function loader({ context }: Route.LoaderArgs) {
  const { config, db } = context.get(appContext);
  return {
    ...(await withFallback(context, () => listNewestJobs(db), { jobs: [], named: null })),
    crop: buildExampleCrop(),
    change: buildExampleChange(),
    steps: listReviewSteps(config.reviewPrices),
    prices: config.reviewPrices,
    testimonials: config.testimonials.slice(0, 2),
  };
}

/** Phones show the first half of them. */
const shownJobs = 6;

/** Lists the newest open jobs, and finds the newest that names a contact, without those that people have reported. */
async function listNewestJobs(db: Database) {
  const list = async (condition?: typeof namesContact) => {
    const { jobs } = await listJobs(db, { condition, limit: 3 * shownJobs });
    return jobs.filter(({ isReported }) => !isReported);
  };
  const [jobs, [named]] = await Promise.all([list(), list(namesContact)]);
  const moment = now();
  return {
    named: named ? { id: named.id, title: named.title, company: named.company } : null,
    jobs: jobs.slice(0, shownJobs).map(({ id, title, company, place, pay, postedAt }) => ({
      id,
      title,
      company,
      place,
      pay: pay ?? payUnstated,
      age: formatPostedAge(postedAt, moment),
    })),
  };
}

type Loaded = Route.ComponentProps["loaderData"];

export default function Home({
  loaderData: { jobs, named, crop, change, steps, prices, testimonials },
}: Route.ComponentProps) {
  useLinkCapture();
  const { product, dashboard } = useShell();
  const signedOut = !dashboard;
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <section className={styles.hero}>
        <CareerMap />
        <div className={bandsStyles.heroWords}>
          <ScriptMark name={product.name} />
          <h1>Launch your design career with real connections</h1>
          <p>
            {product.name} connects designers in India with real job opportunities, and with real
            people at those companies: points of contact (POC) who can guide your application.
          </p>
          <div className={styles.heroWays}>
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
      {jobs.length > 0 && <NewestJobs jobs={jobs} />}
      <ReviewBand crop={crop} steps={steps} />
      <Reasons {...{ named, change, prices, signedOut }} />
      <ServicesBand prices={prices} />
      <HomeTestimonials testimonials={testimonials} />
      {signedOut && <HomeInvitation />}
    </>
  );
}

/**
 * The map on the home page: a route from "You are here" past a review and a real person to the offer. The contour lines
 * (`ui/brand/contours.svg`) are cut to the same box.
 */
function CareerMap() {
  // From the stylesheet alone, the lines would load late and compete with what the text needs.
  preload(contours, { as: "image", fetchPriority: "low" });
  return (
    <figure className={styles.careerMap}>
      <svg viewBox="0 0 1600 760" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
        <path
          className={styles.upland}
          d="M1198 98q28-8 35-9q7-2 12-1q5 0 20 2q15 3 30 7q15 5 30 12q15 7 40 13q25 5 35 9q10 4 50 24q40 19 58 27q18 8 27 13q9 5 15 10q6 5 20 20q14 15 20 25q5 10 8 20q2 10 2 13q0 3 0 5q0 2-4 7q-3 5-5 6q-1 1-6 3q-5 1-10 1q-5 0-15-2q-10-2-20-2q-10 0-20 2q-10 2-35 9q-25 6-35 9q-10 2-35 6q-25 4-35 4q-10 0-30-2q-20-3-40-1q-20 2-35 6q-15 4-20 4q-5 0-10-1q-5-1-10-3q-5-2-15-7q-10-6-20-9q-10-4-30-7q-20-4-33-7q-13-4-22-9q-9-5-11-10q-2-5-1-10q0-5 6-30q5-25 11-40q5-15 13-27q7-12 11-20q3-8 7-23q5-15 7-18q2-3 7-7q5-3 33-12zM985 292q4-2 20-5q15-3 25-4q10-1 15-1q5 0 10 2q5 2 9 4q4 2 6 7q3 5 3 10q0 5-6 25q-6 20-8 25q-3 5-6 8q-3 3-8 6q-5 3-10 4q-5 1-15 1q-10-1-15-2q-5-2-10-5q-5-3-10-6q-5-4-8-8q-2-3-5-8q-3-5-4-10q-2-5-2-10q-1-5 0-10q0-5 3-10q2-5 7-8q4-3 9-5z"
        />
        <path
          className={styles.highland}
          d="M1245 152q5-2 10-3q5-1 15-2q10 0 25 1q15 2 30 2q15 0 25 2q10 2 15 4q5 2 15 7q10 6 25 12q15 7 40 20q25 13 31 19q6 6 6 11q1 5 0 8q-2 3-3 5q-2 2-5 4q-4 3-21 10q-17 8-25 12q-8 4-13 6q-5 2-10 2q-5 1-10 0q-5 0-20-5q-15-5-20-6q-5-1-10-1q-5 0-20 3q-15 3-25 3q-10 0-20-2q-10-3-30-12q-20-8-25-11q-5-4-8-7q-2-4-5-14q-2-10-2-20q0-10 2-15q2-5 5-10q3-5 8-10q5-5 10-8q5-3 10-5z"
        />
        <path
          className={styles.water}
          d="M1146 500q31-10 37-11q7-1 17 0q10 1 23 6q12 5 25 12q12 7 16 10q4 3 9 8q5 5 7 10q2 5 2 10q0 5-4 10q-3 5-10 10q-6 5-22 14q-16 9-26 13q-10 5-35 10q-25 5-35 6q-10 1-30-1q-20-3-25-3q-5 0-20 0q-15-1-25-2q-10-1-20-3q-10-2-18-5q-9-4-16-9q-7-5-11-10q-5-5-7-10q-3-5-3-10q0-5 4-10q3-5 13-10q10-5 24-10q14-4 24-6q10-2 25-2q15 1 20 0q5-1 18-4q13-3 43-13z"
        />
        <path
          className={styles.grid}
          d="M880 0v760M1120 0v760M1360 0v760M760 200h840M760 440h840M760 680h840"
        />
      </svg>
      <div className={styles.careerMapContours} />
      <svg
        viewBox="0 0 1600 760"
        preserveAspectRatio="xMaxYMid slice"
        role="img"
        aria-label="A map with a marked route from “You are here”, around Lake No-Reply, past an expert review and a real person, up to the offer."
      >
        <path
          className={styles.route}
          data-draws={useRenderedByServer() || undefined}
          pathLength="100"
          d="M905 668c-20-60-16-114 26-162 30-38 6-64 36-100 20-24 27-42 45-68 30-40 74-26 116-44 60-26 104-40 190-84"
        />
        <g className={styles.stops}>
          <circle cx="905" cy="668" r="9" />
          <path d="M1009 340v-58h34l-9 11 9 11h-28v36z" />
          <path d="m1321 180 22 38h-44z" />
          <path d="M931 506c-13-16-19-26-19-36a19 19 0 0 1 38 0c0 10-6 20-19 36z" />
        </g>
        <g className={styles.words}>
          <text x="928" y="690">
            You are here
          </text>
          <text x="964" y="500" className={styles.person}>
            A real person
          </text>
          <text x="1000" y="248" className={styles.review}>
            Expert review
          </text>
          <text x="1321" y="160" textAnchor="middle">
            The offer
          </text>
          <text x="1126" y="560" textAnchor="middle" className={styles.lake}>
            Lake No-Reply
          </text>
          <text x="1390" y="640" textAnchor="middle" className={styles.area}>
            Easy-Apply Flats
          </text>
        </g>
      </svg>
    </figure>
  );
}

/** Jobs from the board: the first thing below the map. */
function NewestJobs({ jobs }: Pick<Loaded, "jobs">) {
  return (
    <section>
      <div className={`${bandsStyles.row} ${styles.newestJobs}`}>
        <h2>New on the board</h2>
        <ul>
          {jobs.map((job) => (
            <NewestJob key={job.id} job={job} />
          ))}
        </ul>
        <ButtonLink to="/jobs" variant="secondary" className="mt-4" prefetch="intent">
          See all jobs
        </ButtonLink>
      </div>
    </section>
  );
}

function NewestJob({
  job: { id, title, company, place, pay, age },
}: {
  job: Loaded["jobs"][number];
}) {
  const address = `/jobs/${id}` as const;
  const isLeaving = useViewTransitionState(address);
  return (
    <li>
      <h3>
        <Link to={address} prefetch="intent" viewTransition>
          <span style={isLeaving ? { viewTransitionName: "job-title" } : undefined}>{title}</span>
        </Link>
      </h3>
      <p className="text-ink-soft">{[company, place, age].join("\u00a0· ")}</p>
      <p className={styles.newestPay}>
        {pay}
        <Icon name="arrow-right" />
      </p>
    </li>
  );
}

/** A page of a review, and the way to one's own. */
function ReviewBand({ crop, steps }: Pick<Loaded, "crop" | "steps">) {
  return (
    <section className={bandsStyles.upland}>
      <div className={bandsStyles.row}>
        <header className={`${bandsStyles.head} ${styles.reviewHead}`}>
          <h2>A review, pinned to the page</h2>
          <p>
            Remarks pinned to the page, three things to fix first, and scores with reasons. Read a
            complete sample before you pay.
          </p>
        </header>
        <ExampleCrop crop={crop} />
        <h2 className={styles.hoursTitle}>
          What happens in {services.resume_review.turnaroundHours} hours
        </h2>
        <ol className={styles.hours}>
          {steps.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p className="text-ink-soft">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** Three reasons, each with something of the product that shows it. */
function Reasons({
  named,
  change,
  prices,
  signedOut,
}: Pick<Loaded, "named" | "change" | "prices"> & { signedOut: boolean }) {
  return (
    <section>
      <div className={`${bandsStyles.row} ${styles.reasons}`}>
        <h2>Why Designers Choose Us</h2>
        <Reason
          title="Real POC Access"
          proof={named && <ContactProof job={named} isLocked={signedOut} />}
        >
          Jobs here come with a person who works there. Sign in, see how to reach them, and ask what
          the team is looking for before you apply.
        </Reason>
        <Reason title="Expert Reviews" proof={<RemarkProof change={change} />}>
          Industry professionals and IIT alumni read your resume or portfolio page by page, and tell
          you what to keep, cut and show first.
        </Reason>
        <Reason title="Affordable Pricing" proof={<PriceProof prices={prices} />}>
          A review is paid once, from {formatPrices(prices).lowest}. Reading the job board costs
          nothing, with or without an account.
        </Reason>
      </div>
    </section>
  );
}

function Reason({
  title,
  proof,
  children,
}: {
  title: string;
  proof: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.reason}>
      <h3>{title}</h3>
      <div className={styles.proof}>{proof}</div>
      <p className="text-ink-soft">{children}</p>
    </div>
  );
}

/** The contact of a job on the board, as its page shows it. */
function ContactProof({
  job: { id, title, company },
  isLocked,
}: {
  job: NonNullable<Loaded["named"]>;
  isLocked: boolean;
}) {
  return (
    <StationCard
      isLocked={isLocked || undefined}
      initial={null}
      name={
        <Link to={`/jobs/${id}`} prefetch="intent">
          Contact at {company}
        </Link>
      }
    >
      <p>{title}</p>
    </StationCard>
  );
}

/** A remark of the example review. */
function RemarkProof({ change: { number, label, quote, suggestion } }: Pick<Loaded, "change">) {
  return (
    <div className={styles.change}>
      <p>
        <span>{number}</span> {label} <Badge tone="outline">Made up</Badge>
      </p>
      <del>{quote}</del> <ins>{suggestion}</ins>
    </div>
  );
}

/** The prices as in a ledger. */
function PriceProof({ prices }: Pick<Loaded, "prices">) {
  const cheapest = Object.values(services).reduce((one, other) =>
    prices[other.type] < prices[one.type] ? other : one,
  );
  return (
    <dl className={styles.ledger}>
      <div>
        <dt>{cheapest.shortLabel}, paid once</dt>
        <dd>{formatRupees(prices[cheapest.type])}</dd>
      </div>
      <div>
        <dt>The job board</dt>
        <dd>Free</dd>
      </div>
    </dl>
  );
}

/** Sent by the loader, so that no script contains them. */
function listReviewSteps(prices: ReviewPrices) {
  const { single } = formatPrices(prices);
  return [
    {
      title: "You send your work",
      text: `Upload a resume or a portfolio, add up to three questions, and pay ${single} once. Your files stay private.`,
    },
    {
      title: "A reviewer reads it",
      text: "Until they start, you can cancel for a full refund. If your review is late, you can too.",
    },
    {
      title: "You get your review",
      text: `Remarks, scores and a summary are on your profile within ${services.resume_review.turnaroundHours} hours. A ${services.combined_review.shortLabel} is ready within ${services.combined_review.turnaroundHours}.`,
    },
  ];
}

const offers: Record<Service["type"], string> = {
  resume_review: "Your resume, read the way a hiring designer reads it: story, order, proof.",
  portfolio_review:
    "Your case studies by file or link: what lands, what is missing, what to lead with.",
  combined_review:
    "Resume and portfolio read together, so that one backs up the other. First in line.",
};

function ServicesBand({ prices }: { prices: ReviewPrices }) {
  const { resume, portfolio, saved } = formatPrices(prices);
  const { resume_review, portfolio_review, combined_review } = services;
  return (
    <section className={bandsStyles.upland}>
      <div className={bandsStyles.row}>
        <header className={bandsStyles.head}>
          <h2>Premium Review Services</h2>
          <p>Send your work, pay once, and get written feedback from a person in your field.</p>
        </header>
        <ul className={styles.prices}>
          {[resume_review, portfolio_review, combined_review].map((service) => (
            <li key={service.type}>
              <h3>
                {service.shortLabel}
                {service === combined_review && (
                  <span className={badgeStyles.bestValue}>BEST VALUE</span>
                )}
              </h3>
              <p className={styles.price}>{formatRupees(prices[service.type])}</p>
              <p className="text-sm">{offers[service.type]}</p>
              <p className="text-sm text-ink-soft">
                Within {service.turnaroundHours} hours
                {service === combined_review &&
                  ` · ${resume} + ${portfolio} apart: you save ${saved}`}
              </p>
            </li>
          ))}
        </ul>
        <ButtonLink to="/services" prefetch="intent">
          See the review services
        </ButtonLink>
      </div>
    </section>
  );
}

function HomeTestimonials({ testimonials }: { testimonials: Testimonial[] }) {
  return (
    <section>
      <div className={bandsStyles.row}>
        <h2>What Our Users Say</h2>
        <Testimonials real={testimonials} samples={samples} />
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

function HomeInvitation() {
  return (
    <section className={bandsStyles.highland}>
      <div className={`${bandsStyles.row} ${bandsStyles.invitation}`}>
        <div>
          <h2>Stop sending applications into the fog</h2>
          <p>With an account you see the people behind the jobs, and how to reach them.</p>
        </div>
        <ButtonLink to="/signup">Sign up</ButtonLink>
      </div>
    </section>
  );
}

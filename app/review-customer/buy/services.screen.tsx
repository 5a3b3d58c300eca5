import { currentActor } from "../../accounts/actor.server.ts";
import { formatBytes, uploadRules } from "../../files/rules.ts";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { day } from "../../platform/clock.ts";
import type { ReviewPrices, Testimonial } from "../../platform/config.server.ts";
import { withFallback } from "../../platform/forms.server.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { StationCard } from "../../ui/layout/station-card.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { findPublishedServiceFigures } from "../../reviews/due-dates/due-dates.server.ts";
import type { ServiceFigures } from "../../reviews/due-dates/due-dates.ts";
import type { ReviewerCard } from "../../reviews/reviewer-profile/introduction.ts";
import {
  listPublicReviewers,
  toReviewerCard,
} from "../../reviews/reviewer-profile/introductions.server.ts";
import { formatHours } from "../../reviews/rating/rules.ts";
import { ExampleCrop } from "../example/example-crop.tsx";
import { buildExampleCrop } from "../example/example-crop.server.ts";
import { criteria, listReviewCriteria, partNames } from "../../reviews/rubric.ts";
import {
  figuresFor,
  formatPrices,
  type Service,
  services,
  type ServiceType,
  turnaround,
} from "../../reviews/rules.ts";
import { resumeCheckPage } from "../resume-check/pages.ts";
import type { Route } from "./+types/services.screen.ts";
import { buildServicesPage } from "./pages.ts";
import stylesheet from "./services.screen.css?url";
import { Testimonials } from "./voices.tsx";
import * as styles from "./services.module.css";
import * as plansStyles from "./plans.module.css";
import * as questionsStyles from "../../ui/layout/questions.module.css";
import * as stepsStyles from "./steps.module.css";
import * as rubricStyles from "./rubric.module.css";
import * as badgeStyles from "../../ui/layout/badge.module.css";

export const handle: PublicScreen = { page: buildServicesPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData && buildPublicMeta(matches, buildServicesPage(loaderData.prices));

export async function loader({ context }: Route.LoaderArgs) {
  const { config, db } = context.get(appContext);
  const [figures, readers] = await Promise.all([
    withFallback(context, () => findPublishedServiceFigures(db), null),
    withFallback(context, () => listPublicReviewers(db), []),
  ]);
  return {
    signedIn: context.get(currentActor) !== null,
    crop: buildExampleCrop(),
    prices: config.reviewPrices,
    plans: Object.values(services).map((service) => buildPlan(service, config.reviewPrices)),
    steps,
    voices: { real: config.testimonials.slice(-2), samples },
    figures: figures && formatServiceFigures(figures),
    readers: readers.map(toReviewerCard),
    questions,
  };
}

/** Formats the turnaround figures on the server, so that the browser doesn't load these texts twice. */
function formatServiceFigures({ completed, onTime, medianHours }: ServiceFigures) {
  return {
    figures: [
      { name: "Delivered on time", value: `${Math.round((onTime / completed) * 100)}%` },
      { name: "Median turnaround", value: formatHours(medianHours ?? 0) },
    ],
    note: `From ${countNoun(completed, "review")} in the last ${figuresFor / day} days, measured from payment. You'll see your due time right after you pay.`,
  };
}

export default function ServicesScreen({
  loaderData: { signedIn, crop, prices, plans, steps, voices, figures, readers, questions },
}: Route.ComponentProps) {
  const { resume, portfolio, both, saved } = formatPrices(prices);
  return (
    <Page
      title="Professional Review Services"
      intro={
        <>
          <p>
            Industry professionals and IIT alumni read your work and tell you what to keep, what to
            cut and what to show first.
          </p>
          <p className={styles.offer}>
            <a href={`#${plansId}`}>
              Resume {resume} · Portfolio {portfolio} · Both {both}
            </a>
          </p>
        </>
      }
      actions={<ExampleCrop crop={crop} isFirst />}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <p className={styles.plansBoth}>
        <a href={`#${bundleId}`}>
          Both for {both}: you save {saved}
        </a>
      </p>
      <div className={plansStyles.plans} id={plansId}>
        {plans.map((plan) => (
          <PlanCard key={plan.type} plan={plan} signedIn={signedIn} />
        ))}
      </div>
      <div className={styles.plansFoot}>
        {figures && (
          <div>
            <p>
              {figures.figures.map(({ name, value }) => (
                <span key={name}>
                  {name} <strong>{value}</strong>
                </span>
              ))}
            </p>
            <p className="text-sm">{figures.note}</p>
          </div>
        )}
        <p>
          Not ready to pay?{" "}
          <Link to={resumeCheckPage.path}>See what software reads in your resume</Link>, free and
          without an account.
        </p>
      </div>
      <ProcessSection steps={steps} />
      {readers.length > 0 && <ReadersSection readers={readers} />}
      <RubricSection />
      <TestimonialsSection {...voices} />
      <QuestionsSection questions={questions} />
    </Page>
  );
}

type Step = { title: string; text: string };

/** Sent by the loader, so that no script contains them. */
const steps: Step[] = [
  {
    title: "Upload your work",
    text: `Your resume as a ${uploadRules.resume.types}, your portfolio as a file or link. It stays private.`,
  },
  {
    title: "Pay once",
    text: "Pay by card, UPI or net banking on PayU's page. Nothing renews automatically.",
  },
  {
    title: "Read the review",
    text: "Remarks pinned to your pages, scores and a summary, on your profile.",
  },
];

function ProcessSection({ steps }: { steps: Step[] }) {
  return (
    <section className={styles.part}>
      <h2>How it works</h2>
      <ol className={stepsStyles.way}>
        {steps.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The reviewers who agreed to be shown here. */
function ReadersSection({ readers }: { readers: ReviewerCard[] }) {
  return (
    <section className={styles.part}>
      <h2>Who reads your work</h2>
      <ul className={styles.readers}>
        {readers.map(({ initial, name, lines }, index) => (
          <li key={index}>
            <StationCard initial={initial} name={name}>
              {lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </StationCard>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The meaning of each score, with the same texts as in a review. */
function RubricSection() {
  return (
    <section className={styles.part} id="rubric">
      <h2>How we score</h2>
      <div className={rubricStyles.rubric}>
        <p>
          We score six criteria for a resume and six for a portfolio, each from 1 to 5. A 3 meets
          expectations, and a 5 is rare.
        </p>
        {(["resume", "portfolio"] as const).map((part) => (
          <div key={part}>
            <h3>{partNames[part]}</h3>
            <div className={questionsStyles.questions}>
              {listReviewCriteria(`${part}_review`).map((criterion) => (
                <details key={criterion}>
                  <summary>{criteria[criterion].label}</summary>
                  <ol>
                    {criteria[criterion].levels.map((level) => (
                      <li key={level}>{level}</li>
                    ))}
                  </ol>
                </details>
              ))}
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}

function TestimonialsSection(voices: { real: Testimonial[]; samples: Testimonial[] }) {
  return (
    <section className={styles.part}>
      <h2>What customers say</h2>
      <Testimonials {...voices} />
    </section>
  );
}

/** Sample quotes, sent by the loader. */
const samples: Testimonial[] = [
  {
    who: "Visual designer, Pune",
    says: "I had three versions of my resume. The review told me which one fit the job, and why the other two didn't.",
  },
  {
    who: "Interaction designer, Hyderabad",
    says: "I got six screenshots of my case study, each with a note about one decision. I swapped two pages and finally had a story.",
  },
];

type Question = { question: string; answer: string };

/** Sent by the loader too. */
const questions: Question[] = [
  {
    question: "How long does a review take?",
    answer: `${turnaround.standard}. Combined reviews come with priority service and are ${turnaround.priority}.`,
  },
  {
    question: "Can I change my materials after submission?",
    answer:
      "No. Once you've paid, your reviewer works with what you sent. To get new materials reviewed, buy a new review.",
  },
  {
    question: "What do I get?",
    answer:
      "A summary, scores and remarks pinned to your pages. Reviewers may suggest edits, and sometimes send edited versions of your files.",
  },
];

function QuestionsSection({ questions }: { questions: Question[] }) {
  return (
    <section className={styles.part}>
      <h2>Questions</h2>
      <div className={questionsStyles.questions}>
        {questions.map(({ question, answer }) => (
          <details key={question} name="services-questions">
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}

const { resume, portfolio } = uploadRules;

const offers: Record<ServiceType, { promise: string; brings: string[]; materials: string }> = {
  resume_review: {
    promise: "We read it line by line, like a hiring designer.",
    brings: ["Remarks pinned to the pages of your PDF"],
    materials: `Your resume as ${resume.types}, up to ${formatBytes(resume.maxBytes)}`,
  },
  portfolio_review: {
    promise: "A fresh look at your case studies.",
    brings: [`Remarks pinned to your pages, as ${portfolio.types}`],
    materials: `Your portfolio as ${portfolio.types} up to ${formatBytes(portfolio.maxBytes)}, or a link`,
  },
  combined_review: {
    promise: "We read them side by side, so they tell one story.",
    brings: ["Priority: first in line", `Remarks pinned to your pages, as ${portfolio.types}`],
    materials: "Your resume, and your portfolio as a file or link",
  },
};

type Plan = ReturnType<typeof buildPlan>;

/** Builds a card of the price list for the loader. The lines that only the best plan has are marked. */
function buildPlan({ type, shortLabel, path, turnaroundHours }: Service, prices: ReviewPrices) {
  const isBest = type === "combined_review";
  const { promise, materials } = offers[type];
  return {
    type,
    label: shortLabel,
    path,
    isBest,
    promise,
    price: formatRupees(prices[type]),
    savings: isBest ? formatSavings(prices) : null,
    turnaround: `Within ${turnaroundHours} hours`,
    materials,
    brings: listDeliverables(type).map((line) => ({
      line,
      isOwn: isBest && !listDeliverables("portfolio_review").includes(line),
    })),
  };
}

/** Compares the bundle with buying both reviews separately. */
function formatSavings(prices: ReviewPrices) {
  const { resume, portfolio, saved } = formatPrices(prices);
  return { apart: `${resume} + ${portfolio} separately.`, saved: `You save ${saved}.` };
}

function listDeliverables(type: ServiceType): string[] {
  return [
    ...offers[type].brings,
    `Scores on up to ${listReviewCriteria(type).length} criteria, with reasons`,
    "An annotated PDF to keep",
    "Full refund until a reviewer starts",
  ];
}

/** The ids of the plans, and of the card that the line above them leads to. */
const plansId = "plans";
const bundleId = "both";

/** A service with its price and a start button. Visitors sign in first and come back. */
function PlanCard({ plan, signedIn }: { plan: Plan; signedIn: boolean }) {
  const { isBest } = plan;
  return (
    <Card
      as="article"
      className={plansStyles.plan}
      tone={isBest ? "marked" : "plain"}
      title={plan.label}
      subtitle={plan.promise}
      footer={<BeginLink plan={plan} signedIn={signedIn} />}
    >
      {isBest && (
        <p className={badgeStyles.bestValue} id={bundleId}>
          BEST VALUE
        </p>
      )}
      <p className={plansStyles.price}>
        <span>{plan.price}</span>
        <small>
          {plan.savings ? (
            <>
              {plan.savings.apart} <strong>{plan.savings.saved}</strong>
            </>
          ) : (
            "one review, paid once"
          )}
        </small>
      </p>
      <ul className={plansStyles.brings}>
        {plan.brings.map(({ line, isOwn }) => (
          <li key={line}>
            <Icon name="check" />
            {isOwn ? <strong>{line}</strong> : line}
          </li>
        ))}
      </ul>
      <dl className={plansStyles.facts}>
        <dt>Turnaround</dt>
        <dd>{plan.turnaround}</dd>
        <dt>You send</dt>
        <dd>{plan.materials}</dd>
      </dl>
    </Card>
  );
}

function BeginLink({ plan: { label, path, isBest }, signedIn }: { plan: Plan; signedIn: boolean }) {
  return (
    <ButtonLink
      to={signedIn ? path : `/login?next=${encodeURIComponent(path)}`}
      variant={isBest ? "primary" : "secondary"}
      prefetch="intent"
      aria-label={signedIn ? undefined : `Sign In to Continue with ${label}`}
    >
      {signedIn ? `Start ${label}` : "Sign In to Continue"}
    </ButtonLink>
  );
}

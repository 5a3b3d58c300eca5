import { Page } from "../../ui/layout/page.tsx";
import { published } from "../../ui/meta/published.ts";
import { Voice, Voices } from "./voices.tsx";
import { currentActor } from "../../accounts/actor.server.ts";
import type { Route } from "./+types/services.screen.ts";
import { servicesPage } from "../pages.ts";
import { PlanCard } from "./plan-card.tsx";
import { offer, services } from "../rules.ts";
import { uploadRules } from "../../files/rules.ts";
import styles from "./services.css?url";

export const meta: Route.MetaFunction = ({ matches }) => published(matches, servicesPage);

export function loader({ context }: Route.LoaderArgs) {
  return { signedIn: context.get(currentActor) !== null };
}

export default function Services({ loaderData: { signedIn } }: Route.ComponentProps) {
  return (
    <Page
      title="Professional Review Services"
      intro="Industry professionals and IIT alumni read your work, and write to you what to keep, what to cut and what to show first."
    >
      <link rel="stylesheet" href={styles} precedence="default" />
      <div className="plans">
        {Object.values(services).map((service) => (
          <PlanCard key={service.type} service={service} signedIn={signedIn} />
        ))}
      </div>
      <HowItGoes />
      <WhatTheySay />
      <Questions />
    </Page>
  );
}

function HowItGoes() {
  return (
    <section className="services-part">
      <h2>From upload to answer</h2>
      <ol className="way">
        <li>
          <h3>Upload your work</h3>
          <p>{`A resume as ${uploadRules.resume.types}, a portfolio as file or link. It stays private.`}</p>
        </li>
        <li>
          <h3>Pay once</h3>
          <p>By card, UPI or net banking on the page of PayU. Nothing renews by itself.</p>
        </li>
        <li>
          <h3>Read the review</h3>
          <p>Written feedback, with marked screenshots where they help, on your profile page.</p>
        </li>
      </ol>
    </section>
  );
}

function WhatTheySay() {
  return (
    <section className="services-part">
      <h2>What customers say</h2>
      <Voices>
        <Voice who="Visual designer, Pune">
          I had three versions of one resume. The review told me which of them answered the job, and
          why the other two did not.
        </Voice>
        <Voice who="Interaction designer, Hyderabad">
          Six screenshots with notes on my case study, each about one decision. I changed the order
          of two pages and finally had a story.
        </Voice>
      </Voices>
    </section>
  );
}

const questions = [
  {
    question: "How long does a review take?",
    answer: `${offer.standard}. Combined reviews come with priority service and are ${offer.priority}.`,
  },
  {
    question: "Can I change my materials after submission?",
    answer:
      "No. Once you have paid, the reviewer works with what you sent. To have changed materials reviewed, you buy a new review.",
  },
  {
    question: "What do I get back?",
    answer:
      "Written feedback, with screenshots and notes where they help. Reviewers may suggest edits, and sometimes supply edited versions of your files.",
  },
];

function Questions() {
  return (
    <section className="services-part">
      <h2>Questions</h2>
      <div className="questions">
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

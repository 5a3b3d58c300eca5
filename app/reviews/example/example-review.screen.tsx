import { useState } from "react";
import { Link } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type PublicScreen, published } from "../../ui/meta.ts";
import { exampleReviewPage } from "./pages.ts";
import { MarkedResult } from "../result/marked-result.tsx";
import { TickBox } from "../result/remark-item.tsx";
import { offer, services } from "../rules.ts";
import type { Route } from "./+types/example-review.screen.ts";
import styles from "./example-review.css?url";
import { exampleReview } from "./example.ts";

export const handle: PublicScreen = { page: exampleReviewPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => published(matches, exampleReviewPage);

/** Its words come with the page, which holds them already, and not in a script of their own. */
export function loader() {
  return exampleReview();
}

/** A whole combined review of works that were made for it. What is ticked off is forgotten with the page. */
export default function ExampleReview({ loaderData: { summary, marked } }: Route.ComponentProps) {
  const [done, setDone] = useState<string[]>([]);
  return (
    <Page
      back={
        <ButtonLink to="/services" variant="ghost" prefetch="intent">
          <Icon name="arrow-left" />
          Review services
        </ButtonLink>
      }
      title="An example review"
      intro={
        <>
          <p>
            What a {services.combined_review.shortLabel} for {offer.both} brings back, whole: a
            summary, scores, and {marked.remarks.length} remarks pinned to the spot.
          </p>
          <p className="made-up">
            <Badge tone="outline">Made up</Badge> Ira Banerjee, her work and her employers do not
            exist. We drew them to be reviewed.
          </p>
        </>
      }
    >
      <link rel="stylesheet" href={styles} precedence="default" />
      <Sent />
      <MarkedResult
        summary={summary}
        marked={marked}
        done={done}
        renderTick={({ id, number }, isDone) => (
          <TickBox
            number={number}
            isDone={isDone}
            className="tick-box needs-scripts"
            onClick={() =>
              setDone((before) => (isDone ? before.filter((one) => one !== id) : [...before, id]))
            }
          />
        )}
      />
      <section className="have-yours-read">
        <h2>Have yours read</h2>
        <p>
          Both for {offer.both} within {services.combined_review.turnaroundHours} hours, or one for{" "}
          {offer.resume} within {services.resume_review.turnaroundHours}. How scores are given
          stands <Link to="/services#rubric">with the services</Link>.
        </p>
        <ButtonLink to="/services" prefetch="intent">
          See the review services
        </ButtonLink>
      </section>
    </Page>
  );
}

/** What the reviewer was given: works, and the brief that came with them. */
function Sent() {
  return (
    <dl className="example-sent">
      <div>
        <dt>Sent</dt>
        <dd>A resume of 2 pages, a portfolio of 8, and a website</dd>
      </div>
      <div>
        <dt>Target role</dt>
        <dd>Product designer for subscriptions or payments, in a small team</dd>
      </div>
      <div>
        <dt>Experience</dt>
        <dd>6 years</dd>
      </div>
    </dl>
  );
}

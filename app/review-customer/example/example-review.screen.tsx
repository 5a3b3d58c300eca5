import { useState } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { exampleReviewPage } from "../buy/pages.ts";
import type { PageBand, PageView, Remark } from "../../annotations/rules.ts";
import { MarkedResult } from "../../annotations/marked-sheet/marked-result.tsx";
import { buildMarkedSheets } from "../../annotations/mark-sheets.server.ts";
import { TickBox } from "../../annotations/marked-sheet/remark-item.tsx";
import type { Summary } from "../../annotations/marked-sheet/summary.tsx";
import type { Part } from "../../reviews/rubric.ts";
import { offer, services } from "../../reviews/rules.ts";
import type { Route } from "./+types/example-review.screen.ts";
import styles from "./example-review.css?url";
import places from "./places.json" with { type: "json" };
import { type ExampleRemark, exampleRemarks } from "./remarks.ts";

export const handle: PublicScreen = { page: exampleReviewPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPublicMeta(matches, exampleReviewPage);

/** Returns the texts with the page, so that the browser doesn't load them twice. */
export function loader() {
  return buildExampleReview();
}

/** A complete combined review of works made for this example. Ticks are lost when the page closes. */
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
            Everything in a {offer.both} {services.combined_review.shortLabel}: a summary, scores
            and {marked.remarks.length} remarks pinned to the page.
          </p>
          <p className="made-up">
            <Badge tone="outline">Made up</Badge> We invented Ira Banerjee, her work and her
            employers for this example.
          </p>
        </>
      }
    >
      <link rel="stylesheet" href={styles} precedence="default" />
      <MarkedResult
        summary={summary}
        aside={<SentMaterials />}
        signature="made up for this example"
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
        <h2>Get your review</h2>
        <p>
          Get both reviewed for {offer.both} within {services.combined_review.turnaroundHours}{" "}
          hours, or one for {offer.resume} within {services.resume_review.turnaroundHours}. See{" "}
          <Link to="/services#rubric">how we score</Link>.
        </p>
        <ButtonLink to="/services" prefetch="intent">
          See the review services
        </ButtonLink>
      </section>
    </Page>
  );
}

/** The customer's files and brief. */
function SentMaterials() {
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

/** Builds the example review. Everything in it is made up. */
function buildExampleReview() {
  const names = Object.keys(pagesByName);
  const pages = names.filter((name) => !isScreenshotName(name)).map(toPageView);
  const screenshots = names.filter(isScreenshotName).map((id, index) => ({
    ...pagesByName[id]!,
    id,
    number: index + 1,
    caption: captions[index]!,
    href: listBands(id)[0]!.large,
    bands: listBands(id),
  }));
  return {
    summary,
    marked: buildMarkedSheets(pages, screenshots, exampleRemarks.map(toExampleRemark)),
  };
}

type Area = NonNullable<Remark["area"]>;
const pagesByName: Record<string, { width: number; height: number; areas: Record<string, Area> }> =
  places.pages;

const addresses = import.meta.glob<string>("./pictures/*.webp", {
  eager: true,
  query: "?url",
  import: "default",
});

function isScreenshotName(name: string): boolean {
  return name.startsWith("website");
}

function toPageView(name: string): PageView {
  const { width, height } = pagesByName[name]!;
  const [part, number] = name.split("-") as [Part, string];
  return { part, number: Number(number), width, height, bands: listBands(name) };
}

/** Returns the only band of a page: no page of the example is tall enough to be cut. */
function listBands(name: string): PageBand[] {
  const address = (size: string) => addresses[`./pictures/${name}-${size}.webp`]!;
  return [{ top: 0, height: 1, large: address("large"), small: address("small") }];
}

function toExampleRemark({
  page,
  isWhole,
  quote,
  suggestion,
  rank,
  ...fields
}: ExampleRemark): Remark {
  const [part, number] = page.split("-") as [Part, string];
  return {
    ...fields,
    target: isScreenshotName(page)
      ? { kind: "image", imageId: page }
      : { kind: "page", part, page: Number(number) },
    area: isWhole ? null : pagesByName[page]!.areas[fields.id]!,
    quote: quote ?? null,
    suggestion: suggestion ?? null,
    rank: rank ?? null,
    version: 1,
  };
}

const captions = ["irabanerjee.example.in, the first page", "What opens behind “Tiffin Trail”"];

const summary: Summary = {
  feedback: `Ira, your best work is better than your resume and portfolio suggest. At Tiffin Trail you found a real problem, designed a small, precise answer, and it worked: 220 fewer calls a week. I would want to talk to the person who did that.

But I had to look for her. The resume opens with a sentence that fits anyone and puts your current job last. The portfolio shows the finished screens first, the problem on page 5, and says “we” throughout. On your site, the same case is behind a password.

You don't need to make anything new. Move what you have: the problem to the front, your own role into the first paragraph, the numbers from the small print into the headlines. That's an evening for the resume and a weekend for the portfolio.

Your visual design is strong. The pause calendar and the lettering class are the two things I still remembered a day later. Build on those.`,
  scores: {
    first_impression: 2,
    story: 2,
    impact: 3,
    layout: 3,
    fit: 2,
    machine_reading: 1,
    choice_of_work: 2,
    case_studies: 3,
    reasoning: 3,
    visual_craft: 4,
    own_part: 2,
    way_through: 1,
  },
  answers: [
    {
      question: "Are two pages too long for six years?",
      answer:
        "Yes. Without school, the declaration and personal details, it fits on one page, and you lose nothing important.",
    },
    {
      question: "Should I keep the concept projects?",
      answer:
        "No. They were good practice, but you've outgrown them. Three projects that people use say more than six.",
    },
    {
      question: "What should I open with in interviews?",
      answer:
        "The customer in Nagpur. Read the quote aloud, then show the calendar. In two minutes, everyone knows how you think.",
    },
  ],
};

/** The example review and its second look as data; their texts reach the browser with the pages only. */
import { buildMarkedSheets } from "../../annotations/mark-sheets.server.ts";
import type { Summary } from "../../annotations/marked-sheet/summary.tsx";
import type { PageBand, PageView, Remark } from "../../annotations/rules.ts";
import { compareReviews } from "../../annotations/second-look/find-second-look.server.ts";
import type { Place } from "../../annotations/second-look/outcomes.ts";
import type { Part } from "../../reviews/rubric.ts";
import measured from "./areas.json" with { type: "json" };
import { exampleOutcomes, revisedScores } from "./outcomes.ts";
import { type ExampleRemark, exampleRemarks } from "./remarks.ts";

/** Builds the example review. Everything in it is made up. */
export function buildExampleReview() {
  const names = Object.keys(pagesByName).filter((name) => !isRevisedName(name));
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
    /** Shown at the foot of each page. */
    signature: "made up for this example",
    marked: buildMarkedSheets(pages, screenshots, exampleRemarks.map(toExampleRemark)),
  };
}

/** Builds the example's second look: the revised pages beside those of the example review. */
export function buildExampleSecondLook() {
  const { marked, summary } = buildExampleReview();
  const revised = Object.keys(pagesByName).filter(isRevisedName);
  const saved = exampleOutcomes.map(({ id, outcome, note = "", wholePage }) => {
    const name = wholePage ?? revised.find((page) => pagesByName[page]!.areas[id]);
    const place = name ? toPlace(name, pagesByName[name]!.areas[id] ?? null) : null;
    return [id, { outcome, note, place, version: 1 }] as const;
  });
  return compareReviews(
    { sources: [{ marked, remarks: marked.remarks, from: null }], scores: summary.scores },
    { pages: revised.map(toPageView), scores: revisedScores },
    Object.fromEntries(saved),
  );
}

type Area = NonNullable<Remark["area"]>;
const pagesByName: Record<string, { width: number; height: number; areas: Record<string, Area> }> =
  measured.pages;

const addresses = import.meta.glob<string>("./pictures/*.webp", {
  eager: true,
  query: "?url",
  import: "default",
});

function isScreenshotName(name: string): boolean {
  return name.startsWith("website");
}

function isRevisedName(name: string): boolean {
  return name.startsWith("revised-");
}

function toPageView(name: string): PageView {
  const { width, height } = pagesByName[name]!;
  const { part, page } = parsePageName(name);
  return { part, number: page, width, height, bands: listBands(name) };
}

/** Parses a name such as "resume-1" or "revised-resume-1". */
function parsePageName(name: string): { part: Part; page: number } {
  const [number, part] = name.split("-").toReversed() as [string, Part];
  return { part, page: Number(number) };
}

function toPlace(name: string, area: Area | null): Place {
  return { target: { kind: "page", ...parsePageName(name) }, area };
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
  return {
    ...fields,
    target: isScreenshotName(page)
      ? { kind: "image", imageId: page }
      : { kind: "page", ...parsePageName(page) },
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

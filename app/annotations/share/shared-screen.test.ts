import { expect, test } from "vitest";
import { runningApp } from "../../../tests/support/product/running.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { hashToken } from "../../accounts/session.server.ts";
import { day, now } from "../../platform/clock.ts";
import { reviewScores } from "../tables.server.ts";
import type { HiddenArea } from "../hiding/hidden-areas.ts";
import type { SharedPage } from "./rules.ts";
import { reviewShares } from "./tables.server.ts";

type Case = {
  pages: number[];
  hidden: number[];
  withFeedback: boolean;
  hasScores: boolean;
};

const { db, origin } = await runningApp();
const { asha } = await people(db);

/** Opens the page of a shared review without remarks on its pages. @returns its text */
async function openShared({ pages, hidden, withFeedback, hasScores }: Case): Promise<string> {
  const { id } = await review(db, asha, {
    status: "completed",
    reviewerFeedback: "Show one project in depth.",
  });
  if (hasScores)
    await db
      .insert(reviewScores)
      .values({ reviewId: id, criterion: "impact", score: 4, updatedAt: now() });
  const token = `token-${id}`;
  await db.insert(reviewShares).values({
    reviewId: id,
    tokenHash: hashToken(token),
    hidden: hidden.map((page): HiddenArea => {
      return { part: "resume", page, x: 0, y: 0, width: 1, height: 1 };
    }),
    withFeedback,
    pages: pages.map((number): SharedPage => {
      return { part: "resume", number, width: 595, height: 842, bands: [{ top: 0, height: 1 }] };
    }),
    createdAt: now(),
    expiresAt: new Date(now().getTime() + day),
  });
  const html = await (await fetch(`${origin}/shared/${token}`)).text();
  return /<main[^]*<\/main>/.exec(html)![0];
}

const nothing = { pages: [], hidden: [], withFeedback: false, hasScores: false };
const noRemarks = "No remarks are pinned to these pages.";
const noPages = "It has no pages that can be shown, and no remarks on pages.";
const allHidden = "Its owner hides every page.";

test.each<[string, Case, expected: string[], missing: string[]]>([
  ["nothing at all", nothing, ["This link shows nothing", noPages], ["1-0-small.webp"]],
  [
    "pages",
    { ...nothing, pages: [1, 2] },
    [noRemarks, "1-0-small.webp", "2-0-small.webp"],
    ["This link shows nothing", noPages],
  ],
  [
    "one page, and one that is hidden",
    { ...nothing, pages: [1, 2], hidden: [1] },
    [noRemarks, "2-0-small.webp"],
    ["1-0-small.webp", "This link shows nothing"],
  ],
  [
    "pages that are all hidden",
    { ...nothing, pages: [1, 2], hidden: [1, 2] },
    ["This link shows nothing", allHidden],
    ["small.webp", noPages],
  ],
  [
    "feedback",
    { ...nothing, withFeedback: true },
    ["Show one project in depth.", noPages],
    ["This link shows nothing"],
  ],
  [
    "feedback and hidden pages",
    { ...nothing, pages: [1], hidden: [1], withFeedback: true },
    ["Show one project in depth.", allHidden],
    ["This link shows nothing", "small.webp"],
  ],
  [
    "scores",
    { ...nothing, hasScores: true },
    ["Scores", noPages],
    ["This link shows nothing", "Show one project in depth."],
  ],
  [
    "pages, scores and feedback",
    { ...nothing, pages: [1], withFeedback: true, hasScores: true },
    ["Scores", "Show one project in depth.", noRemarks, "1-0-small.webp"],
    ["This link shows nothing"],
  ],
])(
  "a link to %s, without remarks, shows what there is",
  async (_name, given, expected, missing) => {
    const page = await openShared(given);
    for (const text of expected) expect(page.replaceAll("&#x27;", "'")).toContain(text);
    for (const text of missing) expect(page).not.toContain(text);
  },
);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../app/annotations/rules.ts";
import { criteria, listReviewCriteria } from "../../app/reviews/rubric.ts";
import { serviceTypes } from "../../app/reviews/rules.ts";
import areas from "./areas.json" with { type: "json" };
import { demoResults } from "./remarks.ts";

const { remarks: all } = demoResults.combined_review;

test.each(all)("the remark on $on, $at, matches the source", ({ on, at, quote, text }) => {
  const page = on === "screenshot" ? "resume-2" : on;
  const [found] = sourceOf(page).split(`data-remark="${at}"`).slice(1);
  expect(found).toBeDefined();
  if (quote) expect(textOf(found!)).toContain(quote);
  expect(text.length).toBeLessThan(limits.text);
  const area = (areas as Record<string, Record<string, { x: number; y: number }>>)[page]![at];
  expect(Math.min(area!.x, area!.y)).toBeGreaterThan(0);
});

test.each(serviceTypes)("a completed %s has all scores and ranks", (type) => {
  const { scores, remarks } = demoResults[type];
  expect(Object.keys(scores).toSorted()).toEqual(listReviewCriteria(type).toSorted());
  const parts = new Set(listReviewCriteria(type).map((criterion) => criteria[criterion].part));
  for (const { criterion } of remarks) expect(parts).toContain(criteria[criterion!].part);
  const ranks = remarks.flatMap(({ rank }) => rank?.[type] ?? []);
  expect(ranks.toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
});

function sourceOf(page: string): string {
  const source = join(import.meta.dirname, "sources", `${page.split("-")[0]}.html`);
  return readFileSync(source, "utf8").split(`id="${page}"`)[1]!.split('class="page"')[0]!;
}

function textOf(html: string): string {
  // The first tag is cut at its attribute.
  return html
    .replace(/^[^>]*>/, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

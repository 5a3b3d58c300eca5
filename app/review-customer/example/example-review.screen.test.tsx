import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MarkedResult } from "../../annotations/marked-sheet/marked-result.tsx";
import { isActionable } from "../../annotations/marked.ts";
import { limits } from "../../annotations/rules.ts";
import { isOutcomeComplete, maxNoteLength } from "../../annotations/second-look/outcomes.ts";
import { listReviewCriteria } from "../../reviews/rubric.ts";
import { buildExampleCrop } from "./example-crop.server.ts";
import { buildExampleReview, buildExampleSecondLook } from "./example-review.server.ts";
import measured from "./areas.json" with { type: "json" };
import { exampleOutcomes, revisedScores } from "./outcomes.ts";
import { exampleRemarks } from "./remarks.ts";
import { hashExampleSources, readSource, type Source } from "./sources.ts";

const { summary, marked } = buildExampleReview();
const pictures = join(import.meta.dirname, "pictures");

test("pictures and areas were made from the current sources", () => {
  expect(measured.sources).toBe(hashExampleSources());
});

test.each(exampleRemarks)("the remark $id matches its area in the source", (remark) => {
  const { id, page, isWhole, quote, text, suggestion } = remark;
  const [found] = sourceOf(page).split(`data-remark="${id}"`).slice(1);
  expect(found === undefined).toBe(isWhole ?? false);
  if (quote) expect(textOf(found!.split("data-remark=")[0]!)).toContain(quote);
  expect(text.length).toBeLessThan(limits.text);
  expect((suggestion ?? "").length).toBeLessThan(limits.suggestion);
});

test("every area in the sources has a remark, within its page", () => {
  const placed = exampleRemarks.filter(({ isWhole }) => !isWhole);
  const named = listAreas().filter((name) => !name.startsWith("revised-"));
  expect(placed.map(({ page, id }) => `${page} ${id}`).toSorted()).toEqual(named.toSorted());
  for (const { area } of marked.remarks.filter((remark) => remark.area)) {
    expect(Math.min(area!.x, area!.y)).toBeGreaterThan(0);
    expect(Math.max(area!.x + area!.width, area!.y + area!.height)).toBeLessThan(1);
  }
});

test("the example is a complete combined review", () => {
  expect(marked.unpinned).toEqual([]);
  expect(marked.remarks).toHaveLength(exampleRemarks.length);
  expect(Object.keys(summary.scores)).toEqual(listReviewCriteria("combined_review"));
  const ranks = exampleRemarks.flatMap(({ rank }) => rank ?? []);
  expect(ranks.toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
});

test("the second look has an outcome for each remark that asks for a change", () => {
  const { remarks, scores } = buildExampleSecondLook();
  expect(remarks.map(({ remark }) => remark.number).toSorted((one, other) => one - other)).toEqual(
    marked.remarks.filter(isActionable).map(({ number }) => number),
  );
  expect(remarks.map(({ outcome }) => outcome)).toEqual([
    ...Array.from({ length: 3 }, () => "open"),
    ...Array.from({ length: 3 }, () => "partly"),
    ...Array.from({ length: 16 }, () => "solved"),
  ]);
  expect(scores.map(({ criterion }) => criterion)).toEqual(Object.keys(revisedScores));
  expect(exampleOutcomes.filter((one) => !isOutcomeComplete({ note: "", ...one }))).toEqual([]);
  for (const { note = "" } of exampleOutcomes) expect(note.length).toBeLessThan(maxNoteLength);
});

test("each area of the revised pages is where an outcome was decided", () => {
  const { remarks } = buildExampleSecondLook();
  const placed = remarks.flatMap(({ remark, after }) => (after?.area ? [remark.id] : []));
  const named = listAreas().flatMap((name) => /^revised-.* (.*)/.exec(name)?.[1] ?? []);
  expect(placed.toSorted()).toEqual(named.toSorted());
  for (const { before, after } of remarks) {
    expect(before!.bands).toHaveLength(1);
    if (after) expect(after.bands[0]!.large).toContain("revised-");
  }
});

test("pins and remarks lead to each other without scripts", () => {
  const html = renderToStaticMarkup(
    <MarkedResult summary={summary} marked={marked} done={[]} renderTick={() => null} />,
  );
  for (const { number, area } of marked.remarks) {
    expect(html).toContain(`<li id="remark-${number}"`);
    expect(html.includes(`<a id="pin-${number}" href="#remark-${number}"`)).toBe(area !== null);
    expect(html.includes(`<a href="#pin-${number}"`)).toBe(area !== null);
  }
});

test("the picture of the crop shows the remarks of the upper half with their numbers", () => {
  const shown = marked.sheets[0]!.remarks.filter(({ area }) => area && area.y < 1 / 2);
  expect(shown.map(({ number }) => number)).toEqual(measured.crop.numbers);
  const { remark, ...crop } = buildExampleCrop();
  expect(measured.crop.numbers).toContain(remark.number);
  expect(remark).toMatchObject({ label: "Must fix", about: "First impression" });
  expect(crop.alt).toBe("Half a page of a resume, with 4 remarks pinned to it");
  expect(crop.legend).toBe("Sheet 1 of 12 · made up for this example");
});

test("the pictures of the example are small", () => {
  const sizes = new Map(
    readdirSync(pictures).map((name) => [name, statSync(join(pictures, name)).size]),
  );
  const kilobyte = 1024;
  const sizeOf = (isRevised: boolean) =>
    [...sizes]
      .filter(([name]) => name.startsWith("revised-") === isRevised)
      .reduce((all, [, size]) => all + size, 0);
  expect(sizeOf(false)).toBeLessThan(1200 * kilobyte);
  expect(sizeOf(true)).toBeLessThan(500 * kilobyte);
  expect(sizes.get("crop-wide.webp")).toBeLessThan(40 * kilobyte);
  expect(sizes.get("crop-wide.avif")).toBeLessThan(26 * kilobyte);
  expect(sizes.get("crop-narrow.avif")).toBeLessThan(14 * kilobyte);
});

function listAreas(): string[] {
  return Object.entries(measured.pages).flatMap(([page, { areas }]) =>
    Object.keys(areas).map((id) => `${page} ${id}`),
  );
}

function sourceOf(page: string): string {
  const source = readSource(page.split("-")[0] as Source);
  return source.split(`id="${page}"`)[1]!.split("</section>")[0]!;
}

function textOf(html: string): string {
  // The first tag is cut at its attribute.
  return html
    .replace(/^[^>]*>/, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/<[^>]*$/g, "")
    .replaceAll(/\s+/g, " ");
}

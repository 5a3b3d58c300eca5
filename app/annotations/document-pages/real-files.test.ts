import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import {
  circularPages,
  claimingJpeg,
  hugePage,
  interlacedPng,
  largeObjectStream,
} from "../../../tests/support/documents/hostile-files.ts";
import { withMemory } from "../../../tests/support/product/memory.ts";
import { portfolioServer } from "../../../tests/support/documents/portfolios.ts";
import { folder, pathOf, renderedFiles } from "../../../tests/support/documents/rendered-files.ts";
import { fileProblems } from "../../files/finding.ts";
import { missingPages } from "../../files/render/rendering.ts";
import { sample, slowCases } from "../../../tests/support/inventory/selection.ts";

const { upload, expectMarks } = await portfolioServer();

test.each(
  sample(
    renderedFiles.filter(({ isSlow }) => !isSlow),
    { every: 8 },
  ),
)("$name is rendered correctly, with its words at their places", async (file) =>
  expectMarks(file, await readFile(pathOf(file))),
);

test("every file of the folder is rendered, here or by the drill", async () => {
  const there = (await readdir(folder)).filter((name) => name !== "make.py");
  expect(renderedFiles.map(({ name }) => name).toSorted()).toEqual(there.toSorted());
});

const fixture = (name: string) => readFile(join("tests/fixtures/files", name));
const refused = (problem: string) => ({ refusal: `Please upload a PDF or image file. ${problem}` });
const oversized = { notice: missingPages.oversized, pages: [] };

type OddFile = [what: string, make: () => Buffer | Promise<Buffer>, end: object];

// Nested forms are tested beside the two processes.
test.each<OddFile>([
  [
    "whose objects become two gigabytes",
    () => largeObjectStream(2_000_000_000),
    refused(fileProblems.oversized),
  ],
  ["whose pages go in a circle", circularPages, refused(fileProblems.incomplete)],
  [
    "that ends in its middle",
    async () => (await fixture("resume.pdf")).subarray(0, 25_000),
    refused(fileProblems.incomplete),
  ],
  ["whose page is a thousand million points wide", () => hugePage(1e9, 1e9), { notice: null }],
  ["whose page is only high", () => hugePage(1, 1e9), { notice: null }],
  [
    "that says it is a photograph of 65,500 × 65,500",
    async () => claimingJpeg(await fixture("poster.jpg"), 65_500),
    refused(fileProblems.oversized),
  ],
  [
    "that says it is a photograph of 16,000 × 16,000 in several scans",
    async () => claimingJpeg(await fixture("progressive.jpg"), 16_000),
    oversized,
  ],
  // Covered by "a file whose objects become two gigabytes gets a notice".
  ...slowCases<OddFile>([
    ["that becomes a picture of two gigabytes", () => interlacedPng(16_000, 16_000), oversized],
  ]),
])("a file %s gets a notice", async (_what, make, end) => {
  const bytes = await make();
  const [found, most] = await withMemory(() => upload("book.pdf", bytes));
  expect(found).toMatchObject(end);
  expect(most, "MB").toBeLessThan(900);
});

test("after all of them the next file still renders", async () => {
  const plain = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  expect(await upload("plain.png", plain)).toMatchObject({ notice: null, pages: [{ number: 1 }] });
});

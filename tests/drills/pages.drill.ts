import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { mostPages } from "../../app/files/render/rendering.ts";
import { hugePicture, manyPages } from "../support/documents/hostile-files.ts";
import { largePortfolio } from "../support/documents/large-portfolio.ts";
import { withMemory } from "../support/product/memory.ts";
import { portfolioServer } from "../support/documents/portfolios.ts";
import { pathOf, renderedFiles } from "../support/documents/rendered-files.ts";
import { say } from "./figures.ts";

/** The memory limit of a process for files, in megabytes; it ends soon after 700. */
const mostMemory = 900;
const { upload, expectMarks } = await portfolioServer();
const figures: string[] = [];
afterAll(() => say("pages", figures));

async function measured<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const begun = performance.now();
  const [value, most] = await withMemory(work);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  figures.push(`${what} ${seconds} s and ${most.toFixed(0)} MB`);
  expect(most, "MB").toBeLessThan(mostMemory);
  return value;
}

test.each(renderedFiles)("$name comes out as it looks", async (file) => {
  const bytes = await readFile(pathOf(file));
  const tried = () => expectMarks(file, bytes);
  await (file.isSlow ? measured(file.name, tried) : tried());
});

test("a portfolio of 40 pages and 50 MB comes out whole", async () => {
  const bytes = await largePortfolio(40, 50_000_000);
  const { notice, pages } = await measured("40 pages of 50 MB", () => upload("book.pdf", bytes));
  expect({ notice, pages: pages.length }).toEqual({ notice: null, pages: 40 });
});

test("of a million pages the first are shown", async () => {
  const many = () => upload("book.pdf", manyPages(1_000_000));
  const { pages, pageCount, refusal } = await measured("a million pages", many);
  // A busy computer may not have looked at all of them in the time that there is.
  if (refusal === undefined) expect([pages.length, pageCount]).toEqual([mostPages, 1_000_000]);
});

test("a picture for print of 15,000 × 15,000 in a document is shown", async () => {
  const huge = () => upload("book.pdf", hugePicture(15_000));
  expect(await measured("a picture of 900 MB", huge)).toMatchObject({ notice: null });
});

import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { maxPages } from "../../app/files/render/rendering.ts";
import { hugePicture, manyPages } from "../support/documents/hostile-files.ts";
import { largePortfolio } from "../support/documents/large-portfolio.ts";
import { withMemory } from "../support/product/memory.ts";
import { portfolioServer } from "../support/documents/portfolios.ts";
import { pathOf, renderedFiles } from "../support/documents/rendered-files.ts";
import { say } from "./figures.ts";

/** The memory limit of a file process in megabytes. The process ends soon after 700. */
const maxMemory = 900;
const { upload, expectMarks } = await portfolioServer();
const figures: string[] = [];
afterAll(() => say("pages", figures));

async function measure<Value>(label: string, work: () => Promise<Value>): Promise<Value> {
  const started = performance.now();
  const [value, memory] = await withMemory(work);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  figures.push(`${label} ${seconds} s and ${memory.toFixed(0)} MB`);
  expect(memory, "MB").toBeLessThan(maxMemory);
  return value;
}

test.each(renderedFiles)("$name is rendered correctly", async (file) => {
  const bytes = await readFile(pathOf(file));
  const check = () => expectMarks(file, bytes);
  await (file.isSlow ? measure(file.name, check) : check());
});

test("a portfolio of 40 pages and 50 MB is rendered completely", async () => {
  const bytes = await largePortfolio(40, 50_000_000);
  const { notice, pages } = await measure("40 pages of 50 MB", () => upload("book.pdf", bytes));
  expect({ notice, pages: pages.length }).toEqual({ notice: null, pages: 40 });
});

test("only the first of a million pages are shown", async () => {
  const uploadAll = () => upload("book.pdf", manyPages(1_000_000));
  const { pages, pageCount, refusal } = await measure("a million pages", uploadAll);
  // A busy computer may not read all of them in time.
  if (refusal === undefined) expect([pages.length, pageCount]).toEqual([maxPages, 1_000_000]);
});

test("a document with a picture of 15,000 × 15,000 pixels is shown", async () => {
  const uploadHuge = () => upload("book.pdf", hugePicture(15_000));
  expect(await measure("a picture of 900 MB", uploadHuge)).toMatchObject({ notice: null });
});

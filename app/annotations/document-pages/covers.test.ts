import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { addPages, withPages } from "../../../tests/support/rows/marked-reviews.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { review, storedFile } from "../../../tests/support/rows/reviews.ts";
import { rendererVersion } from "../../files/render/rendering.ts";
import { now } from "../../platform/clock.ts";
import { renderedFiles } from "../tables.server.ts";
import { listCovers } from "./covers.server.ts";

const { db } = await testDatabase();

/** Adds a file whose pages are rendered. */
async function addRenderedFile(owner: { id: string }, bucket: "resumes" | "portfolios") {
  const file = await storedFile(db, owner, bucket);
  const state = { renderer: rendererVersion, state: "done", touchedAt: now() } as const;
  await db.insert(renderedFiles).values({ fileId: file.id, ...state, pageCount: 1 });
  await addPages(db, file.id, 1);
  return file;
}

test("a cover is the resume's first page, or the portfolio's without a resume", async () => {
  const asha = await person(db, "Asha Verma");
  const resume = await addRenderedFile(asha, "resumes");
  const portfolio = await addRenderedFile(asha, "portfolios");
  const both = await review(db, asha, {
    resumeFilePath: resume.path,
    portfolioFilePath: portfolio.path,
  });
  const one = await review(db, asha, { resumeFilePath: null, portfolioFilePath: portfolio.path });
  const covers = await listCovers(db, asha, [both.id, one.id]);
  expect(covers.get(both.id)).toEqual({
    address: `/pictures/${resume.id}/${rendererVersion}/1-0-small.webp`,
    ratio: 595 / 842,
  });
  expect(covers.get(one.id)?.address).toContain(portfolio.id);
});

test("reviews of others, and those without pages, have no cover", async () => {
  const asha = await person(db, "Asha Verma");
  const ravi = await person(db, "Ravi Nair");
  const theirs = await review(db, ravi, { resumeFilePath: `${ravi.id}/1.pdf` });
  await withPages(db, theirs.id);
  const plain = await review(db, asha, { portfolioUrl: "https://asha.example.com" });
  expect(await listCovers(db, asha, [theirs.id, plain.id])).toEqual(new Map());
  expect((await listCovers(db, ravi, [theirs.id])).size).toBe(1);
  expect(await listCovers(db, asha, [])).toEqual(new Map());
});

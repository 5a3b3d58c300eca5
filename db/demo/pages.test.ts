import { join } from "node:path";
import { inArray, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { createDiskStore } from "../../app/files/disk-store.server.ts";
import { getPicturePath } from "../../app/files/render/pictures.server.ts";
import { pictureWidths, type PictureWidth } from "../../app/files/render/rendering.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { listHandedImages } from "../../app/reviews/materials.server.ts";
import {
  ensureReviewPages,
  findPageText,
  listPages,
  listScreenshots,
  renderPagesTask,
} from "../../app/annotations/document-pages/pages.server.ts";
import { reviewPages } from "../../app/annotations/tables.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";
import { loadDemo } from "./load.server.ts";

const { db } = await testDatabase();
const folder = ownFolder();
const store = createDiskStore(join(folder, "files"));

beforeAll(async () => {
  await loadDemo(db, store, testConfig({ DATA_DIR: folder, DEMO_PAGES: "on" }));
});

test("every document of the demo has the pictures of all its pages in the store", async () => {
  const files = await db
    .select({ id: storedFiles.id, name: storedFiles.originalName })
    .from(storedFiles)
    .where(inArray(storedFiles.bucket, ["resumes", "portfolios", "review-images"]));
  expect(files.length).toBeGreaterThan(60);
  const pages = Map.groupBy(await db.select().from(reviewPages), ({ fileId }) => fileId);
  for (const { id, name } of files) {
    const numbers = pages.get(id)?.map(({ number }) => number);
    expect(numbers?.toSorted(), name).toEqual(pageNumbers[name]);
    for (const { number, bands } of pages.get(id)!)
      for (const band of bands.keys())
        for (const width of Object.keys(pictureWidths) as PictureWidth[]) {
          const path = getPicturePath({ fileId: id, page: number, band, width });
          expect((await store.stat("derived", path))?.size, path).toBeGreaterThan(1000);
        }
  }
});

/** The pages of each sample file. */
const pageNumbers: Record<string, number[]> = {
  "resume.pdf": [1, 2],
  "portfolio.pdf": [1, 2, 3, 4],
  "marked.png": [1],
};

test("every review of the demo opens with its pages and their words, and queues no task", async () => {
  const reviews = await db.select().from(serviceReviews);
  expect(reviews.length).toBeGreaterThan(40);
  for (const review of reviews) {
    await ensureReviewPages(db, review.id);
    for (const { part, pages, isComing, notice } of await listPages(db, review)) {
      expect({ isComing, notice }).toEqual({ isComing: false, notice: null });
      expect(pages[0]!.bands).toMatchObject([{ top: 0, height: 1 }]);
      expect((await findPageText(db, review, part, 1))!.words.length).toBeGreaterThan(10);
    }
    for (const { isComing, width, bands } of await listScreenshots(
      db,
      await listHandedImages(db, review.id),
    ))
      expect({ isComing, width, bands: bands.length }).toEqual({
        isComing: false,
        width: 600,
        bands: 1,
      });
  }
  const { rows } = await db.execute(
    sql`select 1 from pgboss.job where name = ${renderPagesTask.name}`,
  );
  expect(rows).toEqual([]);
});

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { renderingOnce } from "../../../tests/support/documents/rendering-once.ts";
import { assignment, review, storedFile } from "../../../tests/support/rows/reviews.ts";
import { testServer } from "../../../tests/support/product/server.ts";
import { deletePictures, sweepPictures } from "../../files/render/pictures.server.ts";
import { type RenderProcess, renderProcess } from "../../files/render/render-process.server.ts";
import { missingPages, rendererVersion } from "../../files/render/rendering.ts";
import type { Bucket } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { hour, minute, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import {
  ensurePages,
  ensureReviewPages,
  listPages,
  listPageTexts,
  listScreenshots,
  findPageText,
} from "./pages.server.ts";
import { toStoredAddress } from "../../reviews/addresses.ts";
import { listHandedImages } from "../../reviews/materials.server.ts";
import { reviewImages, serviceReviews } from "../../reviews/tables.server.ts";
import { deleteOutdatedPages, createRenderPagesTask } from "./render-pages.server.ts";
import { renderedFiles, reviewPages } from "../tables.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const dataDir = ownFolder();
const database = await testDatabase();
const { db } = database;
const server = await testServer(database, { DATA_DIR: dataDir });
const { store } = server;
const renderer = renderingOnce(renderProcess(), join(dataDir, "rendered-once"));
const { asha, ravi, meera, kabir, gita, devi } = await people(db);
afterAll(() => renderer.close());
beforeEach(() => db.execute(sql`delete from pgboss.job where name = 'render-pages'`));

const fixtures = "tests/fixtures/files";

/** Stores a file of Asha's with its bytes. */
async function file(bucket: Bucket, name: string, mimeType = "application/pdf") {
  const stored = await storedFile(db, asha, bucket);
  await store.put(bucket, stored.path, join(fixtures, name));
  await db.update(storedFiles).set({ mimeType }).where(eq(storedFiles.id, stored.id));
  return stored;
}

async function queued(): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select data->>'fileId' as id from pgboss.job where name = 'render-pages'`,
  );
  return rows.map(({ id }) => id);
}

function run(fileId: string, by: RenderProcess = renderer): Promise<void> {
  const task = createRenderPagesTask({ config: { dataDir }, store, renderer: by });
  return task.run({ fileId }, { db, log: createLog("silent") });
}

const nothing = { resumeFilePath: null, portfolioFilePath: null };

test("both parts are rendered once, and listed with pictures and words", async () => {
  const resume = await file("resumes", "resume.pdf");
  const portfolio = await file("portfolios", "poster.png", "image/png");
  const bought = { resumeFilePath: resume.path, portfolioFilePath: portfolio.path };
  const { id } = await review(db, asha, { serviceType: "combined_review", ...bought });
  await Promise.all([ensurePages(db, bought), ensureReviewPages(db, id), ensurePages(db, bought)]);
  expect((await queued()).toSorted()).toEqual([resume.id, portfolio.id].toSorted());
  expect(await listPages(db, bought)).toMatchObject([
    { part: "resume", pages: [], isComing: true, notice: "Preparing pages…" },
    { part: "portfolio", pages: [], isComing: true },
  ]);

  for (const fileId of await queued()) await run(fileId);
  const [first, second] = await listPages(db, bought);
  expect(first).toMatchObject({ part: "resume", pageCount: 2, isComing: false, notice: null });
  expect(first!.pages.map(({ number }) => number)).toEqual([1, 2]);
  expect(first!.pages[0]).toMatchObject({ part: "resume", bands: [{ top: 0, height: 1 }] });
  expect(second!.pages).toMatchObject([{ part: "portfolio", number: 1, width: 360, height: 240 }]);

  const text = await findPageText(db, bought, "resume", 1);
  expect(text!.text).toMatch(/^Meera Iyer/);
  expect(text!.words.length).toBeGreaterThan(300);
  expect((await listPageTexts(db, bought, "resume")).map(({ number }) => number)).toEqual([1, 2]);
  expect(await findPageText(db, bought, "resume", 3)).toBeNull();
  expect(await findPageText(db, nothing, "resume", 1)).toBeNull();

  await ensurePages(db, bought);
  expect(await queued()).toHaveLength(2);
});

test("page pictures are served only to people who can read the file", async () => {
  const resume = await file("resumes", "one-page.pdf");
  const work = await review(db, asha, { status: "under_review", resumeFilePath: resume.path });
  await assignment(db, work.id, meera);
  await ensurePages(db, work);
  await run(resume.id);
  const [part] = await listPages(db, work);
  const { large, small } = part!.pages[0]!.bands[0]!;
  const get = async (address: string, person: typeof asha | null, headers = {}) =>
    fetch(server.origin + address, {
      headers: { ...headers, ...(person && { Cookie: await server.cookieOf(person) }) },
    });
  const statuses = await Promise.all(
    [asha, meera, gita, ravi, kabir, devi, null].map(async (one) => (await get(large, one)).status),
  );
  expect(statuses).toEqual([200, 200, 200, 404, 404, 404, 404]);

  const answer = await get(small, meera);
  expect(answer.headers.get("Content-Type")).toBe("image/webp");
  expect(answer.headers.get("Cache-Control")).toBe("private, max-age=31536000, immutable");
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.toString("latin1", 8, 12)).toBe("WEBP");
  expect(answer.headers.get("Content-Length")).toBe(String(bytes.length));
  const known = { "If-None-Match": answer.headers.get("ETag")! };
  expect((await get(small, meera, known)).status).toBe(304);
  expect((await get(small, ravi, known)).status).toBe(404);

  const [, , id] = large.split("/");
  const made = `${id}/${rendererVersion}`;
  for (const wrong of [
    `/pictures/${made}/2-0-large.webp`,
    `/pictures/${made}/1-1-large.webp`,
    `/pictures/${made}/1-0-huge.webp`,
    `/pictures/${id}/${rendererVersion + 1}/1-0-large.webp`,
    `/pictures/x/${rendererVersion}/1-0-large.webp`,
    `/pictures/${made}/..%2F1-0-large.webp`,
    `/storage/derived/pages/${made}/1-0-large.webp`,
  ])
    expect((await get(wrong, gita)).status, wrong).toBe(404);
});

test("screenshots are rendered, and shown to the customer once the review is completed", async () => {
  const shot = await file("review-images", "poster.png", "image/png");
  const work = await review(db, asha, { status: "under_review" });
  await assignment(db, work.id, meera);
  const images = [
    {
      reviewId: work.id,
      imageUrl: "https://elsewhere.example/1.png",
      createdAt: new Date(now().getTime() - minute),
    },
    {
      reviewId: work.id,
      imageUrl: toStoredAddress(shot),
      annotation: "The grid",
      createdAt: now(),
    },
  ];
  for (const image of images) await db.insert(reviewImages).values(image);
  await ensureReviewPages(db, work.id);
  expect(await queued()).toEqual([shot.id]);
  const listed = async () => listScreenshots(db, await listHandedImages(db, work.id));
  expect(await listed()).toMatchObject([{ number: 2, bands: [], isComing: true }]);

  await run(shot.id);
  const [screenshot] = await listed();
  expect(screenshot).toMatchObject({ caption: "The grid", width: 360, height: 240 });
  expect(screenshot!.isComing).toBe(false);
  const statusFor = async (person: typeof asha) => {
    const headers = { Cookie: await server.cookieOf(person) };
    return (await fetch(server.origin + screenshot!.bands[0]!.large, { headers })).status;
  };
  expect([await statusFor(asha), await statusFor(meera)]).toEqual([404, 200]);
  await db
    .update(serviceReviews)
    .set({ status: "completed" })
    .where(eq(serviceReviews.id, work.id));
  expect([await statusFor(asha), await statusFor(ravi)]).toEqual([200, 404]);
});

test("WebP and GIF images are measured and shown unrendered", async () => {
  const shots = [
    await file("review-images", "poster.webp", "image/webp"),
    await file("review-images", "poster.gif", "image/gif"),
  ];
  const work = await review(db, asha, { status: "under_review" });
  await db.insert(reviewImages).values(
    shots.map((shot) => ({
      reviewId: work.id,
      imageUrl: toStoredAddress(shot),
      createdAt: now(),
    })),
  );
  await ensureReviewPages(db, work.id);
  const listed = async () => listScreenshots(db, await listHandedImages(db, work.id));
  expect(await listed()).toMatchObject([{ isComing: true }, { isComing: true }]);
  for (const { id } of shots) await run(id);
  const known = { width: 360, height: 240, bands: [], isComing: false };
  expect(await listed()).toMatchObject([known, known]);
  const [first] = await listed();
  expect(first!.href).toMatch(/^\/storage\/review-images\//);
});

test("an image that is shown directly is no page of a submitted file", async () => {
  const portfolio = await file("portfolios", "poster.webp", "image/webp");
  const bought = { ...nothing, portfolioFilePath: portfolio.path };
  await ensurePages(db, bought);
  await run(portfolio.id);
  expect(await listPages(db, bought)).toMatchObject([
    { pages: [], isComing: false, notice: missingPages.notRenderable },
  ]);
});

test("Word files and web addresses have no pages, and queue no task", async () => {
  const word = await file("resumes", "resume.docx", "application/msword");
  const bought = { ...nothing, resumeFilePath: word.path };
  await ensurePages(db, bought);
  expect(await queued()).toEqual([]);
  expect(await listPages(db, bought)).toEqual([
    {
      part: "resume",
      pages: [],
      pageCount: null,
      isComing: false,
      notice: missingPages.notRenderable,
    },
  ]);
  await ensurePages(db, nothing);
  expect(await listPages(db, nothing)).toEqual([]);
});

test("a file that cannot be rendered gets a notice, and is not retried", async () => {
  const resume = await file("resumes", "password.pdf");
  const bought = { ...nothing, resumeFilePath: resume.path };
  await ensurePages(db, bought);
  await run(resume.id);
  expect(await listPages(db, bought)).toMatchObject([
    { pages: [], isComing: false, notice: missingPages.password },
  ]);
  await ensurePages(db, bought);
  expect(await queued()).toHaveLength(1);
});

test("a file with missing bytes gets a notice", async () => {
  const resume = await storedFile(db, asha, "resumes");
  const bought = { ...nothing, resumeFilePath: resume.path };
  await ensurePages(db, bought);
  await run(resume.id);
  expect(await listPages(db, bought)).toMatchObject([{ notice: missingPages.failed }]);
});

/** Creates a renderer that dies after this many pages. */
function dying(after: number): RenderProcess {
  return {
    async render(job, whose, hear) {
      if (after > 0)
        await renderer.render(job, whose, (page) => page.number <= after && hear(page));
      throw new Error("its process ended (SIGKILL)");
    },
    close: async () => {},
  };
}

test("rendering resumes after a crash", async () => {
  const resume = await file("resumes", "resume.pdf");
  const bought = { ...nothing, resumeFilePath: resume.path };
  await ensurePages(db, bought);
  await expect(run(resume.id, dying(1))).rejects.toThrow("SIGKILL");
  expect(await listPages(db, bought)).toMatchObject([
    { pages: [{ number: 1 }], isComing: true, notice: "Preparing page 2 of 2…" },
  ]);
  const jobs: number[] = [];
  await run(resume.id, {
    ...renderer,
    render: (job, ...others) => {
      jobs.push(job.after);
      return renderer.render(job, ...others);
    },
  });
  expect(jobs).toEqual([1]);
  expect(await listPages(db, bought)).toMatchObject([{ pages: [{}, {}], notice: null }]);
});

test("a file that reaches the deadline continues in another process while pages are still added", async () => {
  const resume = await file("resumes", "resume.pdf");
  const bought = { ...nothing, resumeFilePath: resume.path };
  await ensurePages(db, bought);
  const begunAfter: number[] = [];
  const slow: RenderProcess = {
    async render(job, whose, hear) {
      begunAfter.push(job.after);
      await renderer.render(job, whose, (page) => page.number === job.after + 1 && hear(page));
      return missingPages.slow;
    },
    close: async () => {},
  };
  await run(resume.id, slow);
  expect(begunAfter).toEqual([0, 1, 2]);
  expect(await listPages(db, bought)).toMatchObject([
    { pages: [{}, {}], isComing: false, notice: missingPages.slow },
  ]);
});

test("a file is given up after five failed attempts", async () => {
  const cursed = await file("resumes", "one-page.pdf");
  await ensurePages(db, { ...nothing, resumeFilePath: cursed.path });
  for (let turn = 0; turn < 5; turn++) await expect(run(cursed.id, dying(0))).rejects.toThrow();
  await run(cursed.id, dying(0));
  expect(await listPages(db, { ...nothing, resumeFilePath: cursed.path })).toMatchObject([
    { isComing: false, notice: missingPages.failed },
  ]);
});

test("of two concurrent tasks one renders", async () => {
  const resume = await file("resumes", "one-page.pdf");
  await ensurePages(db, { ...nothing, resumeFilePath: resume.path });
  let rendered = 0;
  const counting: RenderProcess = {
    ...renderer,
    render: (...asked) => {
      rendered++;
      return renderer.render(...asked);
    },
  };
  await Promise.all([run(resume.id, counting), run(resume.id, counting)]);
  await run(resume.id, counting);
  expect(rendered).toBe(1);
});

test("a file without progress is queued again", async () => {
  const resume = await file("resumes", "one-page.pdf");
  const bought = { ...nothing, resumeFilePath: resume.path };
  await ensurePages(db, bought);
  const touched = (ago: number) =>
    db
      .update(renderedFiles)
      .set({ state: "rendering", touchedAt: new Date(now().getTime() - ago) })
      .where(eq(renderedFiles.fileId, resume.id));
  await touched(9 * minute);
  await ensurePages(db, bought);
  expect(await queued()).toHaveLength(1);
  await touched(11 * minute);
  await Promise.all([ensurePages(db, bought), ensurePages(db, bought)]);
  expect(await queued()).toHaveLength(2);
  await run(resume.id);
  expect(await listPages(db, bought)).toMatchObject([{ pages: [{ number: 1 }], notice: null }]);
});

test("pictures are deleted with their file, and those of earlier renderers by the sweep", async () => {
  const kept = await file("resumes", "one-page.pdf");
  const gone = await file("resumes", "one-page.pdf");
  for (const { id, path } of [kept, gone]) {
    await ensurePages(db, { ...nothing, resumeFilePath: path });
    await run(id);
  }
  await db.delete(storedFiles).where(eq(storedFiles.id, gone.id));
  expect(await db.$count(reviewPages, eq(reviewPages.fileId, gone.id))).toBe(0);
  const old = `pages/${kept.id}/0/1-0-large.webp`;
  await store.put("derived", old, join(fixtures, "poster.webp"));
  const later = new Date(now().getTime() + hour);
  const known = async (ids: string[]) => new Set(ids.filter((id) => id !== gone.id));
  expect(await sweepPictures(store, new Date(now().getTime() - hour), known)).toBe(0);
  expect(await sweepPictures(store, later, known)).toBe(3);
  expect(await store.stat("derived", old)).toBeNull();
  expect(await deletePictures(store, kept.id)).toBe(2);

  await db.insert(renderedFiles).values({
    fileId: kept.id,
    renderer: 0,
    state: "done",
    touchedAt: now(),
  });
  expect(await deleteOutdatedPages(db)).toBe(1);
});

test("rendering leaves no temporary files", async () => {
  const resume = await file("resumes", "one-page.pdf");
  await ensurePages(db, { ...nothing, resumeFilePath: resume.path });
  await run(resume.id);
  expect(await readdir(join(dataDir, "rendering"))).toEqual([]);
});

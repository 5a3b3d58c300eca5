import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { addPages } from "../../../tests/support/rows/marked-reviews.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import { renderedFiles } from "../../annotations/tables.server.ts";
import { missingPages } from "../../files/render/rendering.ts";
import type { Bucket } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { listDraftPreviews } from "./draft-previews.server.ts";
import { changeDraft, draftUploads } from "./drafts.server.ts";
import { services } from "../../reviews/rules.ts";

const { db } = await testDatabase();

type Person = Awaited<ReturnType<typeof person>>;

async function addFile(owner: Person, bucket: Bucket, mimeType: string) {
  const { id } = await storedFile(db, owner, bucket);
  await db.update(storedFiles).set({ mimeType }).where(eq(storedFiles.id, id));
  const column = bucket === "resumes" ? "resumeFileId" : "portfolioFileId";
  await changeDraft(db, owner.id, services.combined_review, { [column]: id });
  return id;
}

/** Completes a queued file. */
async function renderPages(fileId: string, pageCount: number): Promise<void> {
  await db
    .update(renderedFiles)
    .set({ state: "done", pageCount })
    .where(eq(renderedFiles.fileId, fileId));
  await addPages(db, fileId, pageCount);
}

const readPreviews = (owner: Person) => listDraftPreviews(db, owner, services.combined_review);

test("an uploaded PDF is queued, and has its pages and text once it is rendered", async () => {
  const asha = await person(db, "Asha Verma");
  expect(await readPreviews(asha)).toEqual([]);
  const id = await addFile(asha, "resumes", "application/pdf");
  const coming = { part: "resume", hasText: true, isComing: true, notice: null, reading: null };
  expect(await readPreviews(asha)).toMatchObject([{ ...coming, thumbnails: [], pageCount: null }]);
  const states = db
    .select({ state: renderedFiles.state })
    .from(renderedFiles)
    .where(eq(renderedFiles.fileId, id));
  expect(await states).toEqual([{ state: "waiting" }]);
  // Opening the draft again queues nothing more.
  await readPreviews(asha);
  expect(await states).toHaveLength(1);

  await renderPages(id, 5);
  const [preview] = await readPreviews(asha);
  expect(preview).toMatchObject({ isComing: false, notice: null, pageCount: 5 });
  expect(preview!.thumbnails).toHaveLength(3);
  expect(preview!.thumbnails[0]!.address).toMatch(/^\/pictures\/.*-small\.webp$/);
  expect(preview!.reading).toMatchObject({ pageCount: 5, size: 1234 });
});

test("a person never sees previews of another person's draft", async () => {
  const asha = await person(db, "Asha Verma");
  const ravi = await person(db, "Ravi Nair");
  await addFile(asha, "resumes", "application/pdf");
  expect(await readPreviews(ravi)).toEqual([]);
});

test("an image has a page and no text, and a Word document has no preview", async () => {
  const asha = await person(db, "Asha Verma");
  await addFile(asha, "resumes", "application/msword");
  const id = await addFile(asha, "portfolios", "image/png");
  await readPreviews(asha);
  await renderPages(id, 1);
  const previews = await readPreviews(asha);
  expect(previews).toMatchObject([{ part: "portfolio", hasText: false, reading: null }]);
  expect(previews[0]!.thumbnails).toHaveLength(1);
});

test("a file that can't be shown has a sentence, and no reading", async () => {
  const asha = await person(db, "Asha Verma");
  const id = await addFile(asha, "resumes", "application/pdf");
  await readPreviews(asha);
  await db
    .update(renderedFiles)
    .set({ state: "failed", problem: missingPages.damaged })
    .where(eq(renderedFiles.fileId, id));
  expect(await readPreviews(asha)).toMatchObject([
    { isComing: false, notice: missingPages.damaged, thumbnails: [], reading: null },
  ]);
});

test("an upload queues its file", async () => {
  const asha = await person(db, "Asha Verma");
  const file = await storedFile(db, asha, "portfolios");
  const upload = {
    purpose: "portfolio",
    target: "portfolio_review",
    name: "a.pdf",
    note: null,
  } as const;
  await db.transaction((tx) => draftUploads.portfolio.attach(tx, asha.id, upload, file));
  const queued = await db.$count(renderedFiles, eq(renderedFiles.fileId, file.id));
  expect(queued).toBe(1);
});

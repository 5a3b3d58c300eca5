import { randomUUID } from "node:crypto";
import { mkdtemp, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { readAnnotations } from "../../../tests/support/documents/annotations.ts";
import { builtPrograms } from "../../../tests/support/documents/built-programs.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { remarkOn } from "../../../tests/support/rows/marked-reviews.ts";
import { renderingOnce } from "../../../tests/support/documents/rendering-once.ts";
import { assignment, review, storedFile } from "../../../tests/support/rows/reviews.ts";
import { testServer } from "../../../tests/support/product/server.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { renderProcess } from "../../files/render/render-process.server.ts";
import type { Bucket } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { day, hour, now, second } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { ensurePages } from "../document-pages/pages.server.ts";
import { createRenderPagesTask } from "../document-pages/render-pages.server.ts";
import { deleteRemark, saveRemark } from "../remarks/remarks.server.ts";
import { blackOuts, reviewImages, serviceReviews } from "../../reviews/tables.server.ts";
import { remarkOutcomes, reviewRemarks } from "../tables.server.ts";
import { findAnnotatable } from "./annotatable.server.ts";
import {
  getAnnotatedPdfPath,
  createAnnotatedPdfs,
  createAnnotateProcess,
  noPdf,
  sweepAnnotatedPdfs,
} from "./annotated-pdfs.server.ts";
import type { AnnotateJob } from "./annotate-job.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const dataDir = ownFolder();
const database = await testDatabase();
const { db } = database;
const server = await testServer(database, { DATA_DIR: dataDir }, builtPrograms);
const { store } = server;
const renderer = renderingOnce(
  renderProcess({ program: builtPrograms.renderer }),
  join(dataDir, "rendered-once"),
);
const { asha, ravi, meera, kabir, gita, devi } = await people(db);
afterAll(() => renderer.close());

const fixtures = "tests/fixtures/files";

async function file(bucket: Bucket, name: string, mimeType = "application/pdf") {
  const stored = await storedFile(db, asha, bucket);
  await store.put(bucket, stored.path, join(fixtures, name));
  await db.update(storedFiles).set({ mimeType }).where(eq(storedFiles.id, stored.id));
  return stored;
}

async function rendered(handedIn: Parameters<typeof ensurePages>[1], fileIds: string[]) {
  await ensurePages(db, handedIn);
  const task = createRenderPagesTask({ config: { dataDir }, store, renderer });
  for (const fileId of fileIds) await task.run({ fileId }, { db, log: createLog("silent") });
}

const place = { x: 0.5, y: 0.5, width: 0.2, height: 0.1 };

/** Asha's review by Meera: a PDF resume with rendered pages and one remark. */
async function reviewed(status: "under_review" | "completed" = "completed", name = "one-page.pdf") {
  const resume = await file("resumes", name);
  const handedIn = { resumeFilePath: resume.path, portfolioFilePath: null };
  const { id } = await review(db, asha, { status, ...handedIn });
  await assignment(db, id, meera, status === "completed" ? now() : null);
  await rendered(handedIn, [resume.id]);
  await remarkOn(db, id, meera, place);
  return { id, resume };
}

async function get(reviewId: string, person: Actor | null, method = "GET"): Promise<Response> {
  const headers = person ? { Cookie: await server.cookieOf(person) } : undefined;
  const address = `${server.origin}/service-review/${reviewId}/annotated.pdf`;
  return fetch(address, { method, redirect: "manual", ...(headers && { headers }) });
}

async function pathsOf(reviewId: string): Promise<string[]> {
  const paths = [];
  for await (const { path } of store.list("derived", `annotated/${reviewId}`)) paths.push(path);
  return paths;
}

test("the customer gets the review as one file, with pins, remarks and feedback", async () => {
  const { id } = await reviewed();
  const answer = await get(id, asha);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/pdf",
    "cache-control": "private, no-store",
    "content-disposition": expect.stringMatching(/^attachment; filename="Resume Review - .+\.pdf"/),
  });
  const pages = await readAnnotations(Buffer.from(await answer.arrayBuffer()));
  expect(pages).toHaveLength(3);
  expect(pages[1]!.annotations[0]).toMatchObject({ kind: "square" });
  expect(pages[1]!.annotations[0]!.contents).toContain("Say what came of it.");
  expect(await pathsOf(id)).toHaveLength(1);
});

test("its customer once it is completed, its reviewer and god admins can read it, and no one else", async () => {
  const done = await reviewed();
  const open = await reviewed("under_review");
  const statuses = async (id: string) => {
    const readers = [asha, meera, gita, ravi, kabir, devi, null];
    const answers = [];
    for (const reader of readers) answers.push((await get(id, reader)).status);
    return answers;
  };
  expect(await statuses(done.id)).toEqual([200, 200, 200, 404, 404, 404, 404]);
  expect(await statuses(open.id)).toEqual([404, 200, 200, 404, 404, 404, 404]);
  expect((await get(randomUUID(), asha)).status).toBe(404);
  expect((await get("1' or '1'='1", gita)).status).toBe(404);
});

test("a review without remarks has no annotated PDF", async () => {
  const { id } = await reviewed();
  await db.delete(reviewRemarks).where(eq(reviewRemarks.reviewId, id));
  expect((await get(id, asha)).status).toBe(404);
});

/** A second look at a review of Asha's, with an outcome on the first page. @returns both */
async function lookedAt() {
  const earlier = await reviewed();
  const look = await reviewed();
  await db
    .update(serviceReviews)
    .set({ secondLookOf: earlier.id })
    .where(eq(serviceReviews.id, look.id));
  const [remark] = await db
    .select()
    .from(reviewRemarks)
    .where(eq(reviewRemarks.reviewId, earlier.id));
  await db.insert(remarkOutcomes).values({
    reviewId: look.id,
    remarkId: remark!.id,
    outcome: "partly",
    note: "The date is missing.",
    part: "resume",
    page: 1,
    updatedAt: now(),
  });
  return { earlier, look };
}

const pagesOf = async (id: string) =>
  readAnnotations(Buffer.from(await (await get(id, asha)).arrayBuffer()));

test("a second look has page pairs and outcomes, as far as the earlier review is still there", async () => {
  const { earlier, look } = await lookedAt();
  const [, pair, outcomes] = await pagesOf(look.id);
  expect(pair!.text).toMatch(/Before: Resume\s+1\s+After: Resume\s+1/);
  expect(outcomes!.text).toContain("The date is missing.");
  expect(await pagesOf(look.id)).toHaveLength(5);

  await db.delete(storedFiles).where(eq(storedFiles.id, earlier.resume.id));
  const withoutFiles = await pagesOf(look.id);
  expect(withoutFiles).toHaveLength(4);
  expect(withoutFiles[1]!.text).toContain("The date is missing.");

  await db.delete(serviceReviews).where(eq(serviceReviews.id, earlier.id));
  const alone = await pagesOf(look.id);
  expect(alone).toHaveLength(3);
  expect(alone.map(({ text }) => text).join(" ")).not.toContain("The date is missing.");
});

test("page pairs show blacked-out copies, never their originals", async () => {
  const { earlier, look } = await lookedAt();
  const original = await file("resumes", "resume.pdf");
  await rendered({ resumeFilePath: original.path, portfolioFilePath: null }, [original.id]);
  await db.insert(blackOuts).values({
    id: randomUUID(),
    originalFileId: original.id,
    copyFileId: earlier.resume.id,
    boxes: [],
    createdAt: now(),
  });
  const found = await findAnnotatable(db, asha, look.id, "Naksha");
  expect(found!.annotatable!.paired.map(({ path }) => path.split("/")[1])).toEqual([
    earlier.resume.id,
    look.resume.id,
  ]);
});

test("a HEAD request gets headers without a body", async () => {
  const { id } = await reviewed();
  const answer = await get(id, asha, "HEAD");
  expect(answer.status).toBe(200);
  expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(1000);
  expect(await answer.text()).toBe("");
});

test("two concurrent requests share one build, and later ones find its result", async () => {
  const { id } = await reviewed();
  let builds = 0;
  const annotator = createAnnotateProcess({ program: builtPrograms.annotator });
  const pdfs = createAnnotatedPdfs({
    config: { dataDir },
    store,
    annotator: { ...annotator, annotate: (...job) => (builds++, annotator.annotate(...job)) },
  });
  const { annotatable } = (await findAnnotatable(db, asha, id, "Naksha"))!;
  const both = [pdfs.make(annotatable!, asha.id), pdfs.make(annotatable!, meera.id)];
  expect(await Promise.all(both)).toEqual([null, null]);
  expect(builds).toBe(1);
  const found = await pdfs.find(annotatable!);
  await found!.stream.cancel();
  await annotator.close();
});

test("an admin's edit builds a new PDF and deletes the former", async () => {
  const { id } = await reviewed();
  await get(id, asha);
  const [former] = await pathsOf(id);
  const remark = {
    id: randomUUID(),
    target: { kind: "page", part: "resume", page: 1 } as const,
    area: null,
    severity: "idea",
    criterion: "",
    text: "Say where.",
    quote: "",
    suggestion: "",
    base: null,
  };
  await saveRemark(db, gita, { reviewId: id, ...remark });
  const answer = await get(id, asha);
  const pages = await readAnnotations(Buffer.from(await answer.arrayBuffer()));
  expect(pages.at(-1)!.text).toContain("Say where.");
  const [latter, ...others] = await pathsOf(id);
  expect(others).toEqual([]);
  expect(latter).not.toBe(former);
  await deleteRemark(db, gita, { reviewId: id, id: remark.id, base: 1 });
  await get(id, asha);
  expect(await pathsOf(id)).toEqual([former]);
});

test("ticking off a remark builds no new PDF", async () => {
  const { id } = await reviewed();
  const before = await findAnnotatable(db, asha, id, "Naksha");
  await db.update(reviewRemarks).set({ doneAt: now() }).where(eq(reviewRemarks.reviewId, id));
  const after = await findAnnotatable(db, asha, id, "Naksha");
  expect(after!.annotatable!.version).toBe(before!.annotatable!.version);
});

test("a submitted picture and screenshots become pages", async () => {
  const portfolio = await file("portfolios", "poster.png", "image/png");
  const handedIn = { resumeFilePath: null, portfolioFilePath: portfolio.path };
  const { id } = await review(db, asha, {
    status: "completed",
    serviceType: "portfolio_review",
    ...handedIn,
  });
  await rendered(handedIn, [portfolio.id]);
  const shot = await storedFile(db, meera, "review-images", `reviews/${id}/${randomUUID()}-a.gif`);
  await store.put("review-images", shot.path, join(fixtures, "poster.gif"));
  const imageUrl = `review-images/${shot.path}`;
  const values = { reviewId: id, imageUrl, createdAt: now() };
  const [image] = await db.insert(reviewImages).values(values).returning();
  await remarkOn(db, id, meera, { ...place, part: "portfolio" });
  await remarkOn(db, id, meera, { ...place, part: null, page: null, imageId: image!.id });
  const answer = await get(id, asha);
  const pages = await readAnnotations(Buffer.from(await answer.arrayBuffer()));
  expect(pages.map(({ annotations }) => annotations[0]?.kind)).toEqual([
    "link",
    "square",
    "square",
    "link",
  ]);
});

// Covered by "app/annotations/annotated-pdf/make-annotated.test.ts: a file that cannot be annotated".
test("a file that cannot be written into comes as pictures of its pages @slow", async () => {
  const { id, resume } = await reviewed();
  const { annotatable } = (await findAnnotatable(db, asha, id, "Naksha"))!;
  await store.delete("resumes", resume.path);
  const broken = join(dataDir, "broken.pdf");
  await writeFile(broken, "%PDF-1.7 and nothing more");
  await store.put("resumes", resume.path, broken);
  const answer = await get(id, asha);
  const pages = await readAnnotations(Buffer.from(await answer.arrayBuffer()));
  expect(annotatable!.originals).toHaveLength(1);
  expect(pages[1]).toMatchObject({ text: "", annotations: [{ kind: "square" }, { kind: "link" }] });
});

test("the review's screen says that pages are being rendered", async () => {
  const resume = await file("resumes", "one-page.pdf");
  const { id } = await review(db, asha, { status: "completed", resumeFilePath: resume.path });
  await remarkOn(db, id, meera, place);
  const answer = await get(id, asha);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe(`/service-review/${id}`);
  const [toasts] = answer.headers.getSetCookie();
  const toast = Buffer.from(/=([^;]+)/.exec(toasts!)![1]!, "base64url").toString();
  expect(toast).toContain(noPdf.coming);
  expect(await pathsOf(id)).toEqual([]);
});

/** Runs with another program in the child process. */
async function withProgram(
  lines: string,
  work: (pdfs: ReturnType<typeof createAnnotatedPdfs>) => Promise<void>,
  deadline = hour,
) {
  const program = join(dataDir, `${randomUUID()}.mjs`);
  await writeFile(program, `process.on("disconnect", () => process.exit());\n${lines}`);
  const annotator = createAnnotateProcess({ deadline, program });
  const pdfs = createAnnotatedPdfs({ config: { dataDir }, store, annotator });
  await work(pdfs).finally(annotator.close);
}

const hangs = `process.on("message", () => setInterval(() => {}, 1000));`;

// Covered by "app/files/render/render-process.test.ts: finished pages are kept".
test("a process that takes too long or dies is reported and leaves nothing behind @slow", async () => {
  const { id } = await reviewed();
  const { annotatable } = (await findAnnotatable(db, asha, id, "Naksha"))!;
  const tooLate = async (pdfs: ReturnType<typeof createAnnotatedPdfs>) => {
    expect(await pdfs.make(annotatable!, asha.id)).toBe(noPdf.tooLarge);
  };
  await withProgram(hangs, tooLate, second / 5);
  await withProgram(`process.on("message", () => process.exit(3));`, async (pdfs) => {
    await expect(pdfs.make(annotatable!, asha.id)).rejects.toThrow("code 3");
  });
  expect(await pathsOf(id)).toEqual([]);
});

test("the process can write its document and no other file", async () => {
  const folder = await mkdtemp(join(dataDir, "job-"));
  const lines = `import { writeFileSync } from "node:fs";
    process.on("message", ({ folder }) => {
      writeFileSync(folder + "/annotated.pdf", "");
      try { writeFileSync(folder + "/other", ""); } catch ({ code }) { process.send({ problem: code }); }
    });`;
  const program = join(dataDir, "writes.mjs");
  await writeFile(program, lines);
  const annotator = createAnnotateProcess({ program });
  const answer = await annotator.annotate({ folder } as AnnotateJob, asha.id);
  expect(answer).toEqual({ problem: "ERR_ACCESS_DENIED" });
  await annotator.close();
});

test("a request is refused when too many are already waiting", async () => {
  const { id } = await reviewed();
  const { annotatable } = (await findAnnotatable(db, asha, id, "Naksha"))!;
  await withProgram(hangs, async (pdfs) => {
    const waiting = Array.from({ length: 12 }, (_, version) =>
      pdfs.make({ ...annotatable!, version: `v${version}` }, asha.id).catch(() => {}),
    );
    expect(await pdfs.make(annotatable!, ravi.id)).toBe(noPdf.busy);
    void waiting;
  });
});

test("PDFs are deleted with their review, or after a week", async () => {
  const [kept, old, gone] = [await reviewed(), await reviewed(), await reviewed()];
  const source = join(fixtures, "one-page.pdf");
  for (const { id } of [kept, old, gone])
    await store.put("derived", getAnnotatedPdfPath({ reviewId: id, version: "v1" }), source);
  const longAgo = new Date(now().getTime() - 8 * day);
  const path = getAnnotatedPdfPath({ reviewId: old.id, version: "v1" });
  await utimes(join(dataDir, "files", "derived", path), longAgo, longAgo);
  await db.delete(serviceReviews).where(eq(serviceReviews.id, gone.id));
  await sweepAnnotatedPdfs(db, store);
  const left = await Promise.all([kept, old, gone].map(({ id }) => pathsOf(id)));
  expect(left.map(({ length }) => length)).toEqual([1, 0, 0]);
});

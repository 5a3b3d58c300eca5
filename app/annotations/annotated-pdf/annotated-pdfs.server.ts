import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { type Context, Hono } from "hono";
import type { Actor } from "../../accounts/actor.server.ts";
import { getChildProgram, createJobQueue } from "../../files/child-process.server.ts";
import type { Area } from "../../files/rules.ts";
import { formatContentDisposition } from "../../files/serve-file.server.ts";
import type { FileStore } from "../../files/store.server.ts";
import { listKnownIds, sweepStore } from "../../files/sweep-store.server.ts";
import type { RequestFacts } from "../../platform/app-context.server.ts";
import { day, now, second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Unavailable } from "../../platform/errors.ts";
import { type Log, logFailure } from "../../platform/log.server.ts";
import { annotatedPdfs as counted } from "../../platform/metrics.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { runTraced } from "../../platform/traces.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { type Annotatable, findAnnotatable } from "./annotatable.server.ts";
import { type AnnotateAnswer, type AnnotateJob, annotatedFile } from "./annotate-job.ts";

type Env = { Variables: { actor: Actor | null; facts: RequestFacts } };

type Parts = { config: Pick<Config, "product">; db: Database; log: Log; pdfs: AnnotatedPdfs };

/** Proxies give up after a minute. A slower document is still completed, for the next request. */
const annotateTimeoutMs = 45 * second;

/**
 * Serves `/service-review/<review>/annotated.pdf`, the review as one file. It is built on first request. If
 * that fails, the review's screen says why. For people who cannot read the review, the next handler answers.
 */
export function createAnnotatedPdfRoutes({ config, db, log, pdfs }: Parts): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get("/:id/annotated.pdf", async (context, next) => {
    const actor = context.get("actor");
    const { name } = config.product;
    const withQuestion = context.req.query("question") === "yes";
    const access =
      actor && (await findAnnotatable(db, actor, context.req.param("id"), name, withQuestion));
    if (!access) return next();
    const { annotatable, isOwn } = access;
    const sendBack = (problem: string) => {
      context
        .get("facts")
        .toasts.push({ kind: "error", title: "No PDF yet", description: problem });
      context.header("Cache-Control", "no-store");
      return context.redirect(getReviewPath(actor, context.req.param("id"), isOwn), 303);
    };
    if (!annotatable) return sendBack(noPdf.coming);
    const there = await serveAnnotatedPdf(context, pdfs, annotatable);
    if (there) return there;
    const request = context.get("facts").id;
    const problem = await waitForAnnotatedPdf(pdfs, annotatable, actor.id, log, request);
    if (problem !== null) return sendBack(problem);
    return (await serveAnnotatedPdf(context, pdfs, annotatable)) ?? sendBack(noPdf.failed);
  });
  return routes;
}

/** Returns the screen of a review for its customer, its reviewer or an admin. */
function getReviewPath(actor: Actor, reviewId: string, isOwn: boolean): OwnPath {
  if (isOwn) return `/service-review/${reviewId}`;
  return actor.isGodAdmin ? "/admin/reviews/completed" : `/reviewer/submission/${reviewId}`;
}

/** Waits until the PDF exists. @returns null, or a sentence that says why there is none. */
async function waitForAnnotatedPdf(
  pdfs: AnnotatedPdfs,
  annotatable: Annotatable,
  whose: string,
  log: Log,
  request: string,
): Promise<string | null> {
  const making = pdfs.make(annotatable, whose).catch((error: unknown) => {
    if (error instanceof Unavailable) throw error;
    logFailure(log, error, "annotated pdf", { request });
    return noPdf.failed;
  });
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    late = setTimeout(() => resolve(noPdf.slow), annotateTimeoutMs);
  });
  return Promise.race([making, tooLate]).finally(() => clearTimeout(late));
}

/** Serves a stored PDF; null if it does not exist yet. */
async function serveAnnotatedPdf(
  context: Context<Env>,
  pdfs: AnnotatedPdfs,
  annotatable: Annotatable,
): Promise<Response | null> {
  const pdf = await pdfs.find(annotatable);
  if (!pdf) return null;
  const { title, productName } = annotatable.content;
  const headers = {
    "Cache-Control": "private, no-store",
    "Content-Disposition": formatContentDisposition("attachment", `${title} - ${productName}.pdf`),
    "Content-Length": String(pdf.size),
    "Content-Type": "application/pdf",
  };
  if (context.req.method !== "HEAD") return context.body(pdf.stream, 200, headers);
  await pdf.stream.cancel();
  return context.body(null, 200, headers);
}

/** The dependencies of annotated PDFs. */
type AnnotatedParts = {
  config: Pick<Config, "dataDir">;
  store: FileStore;
  annotator: ReturnType<typeof createAnnotateProcess>;
};

export type AnnotatedPdfs = ReturnType<typeof createAnnotatedPdfs>;

export const noPdf = {
  coming: "The pages of this review are still being prepared. Please try again in a minute.",
  busy: "Many PDFs are being made at the moment. Please try again in a few minutes.",
  slow: "The PDF is still being made. Please ask for it again in a minute.",
  failed: "The PDF could not be made. Everything in it stays readable here.",
  tooLarge:
    "This review is too large for one PDF. Everything in it stays readable here, and can be printed.",
} as const;

/** The limit of waiting jobs in each process. The last of them already waits for minutes. */
const maxWaiting = 12;

const top = "annotated";

/** Returns the path of a document in the store's area "derived". */
export function getAnnotatedPdfPath({
  reviewId,
  version,
}: Pick<Annotatable, "reviewId" | "version">) {
  return `${top}/${reviewId}/${version}.pdf`;
}

/** Annotated PDFs, each built on first request and stored until its content changes. */
export function createAnnotatedPdfs(parts: AnnotatedParts) {
  const { store } = parts;
  const underWay = new Map<string, Promise<string | null>>();
  return {
    async find(annotatable: Annotatable) {
      const file = await store.open("derived", getAnnotatedPdfPath(annotatable));
      if (file) counted.inc({ outcome: "cached" });
      return file;
    },
    /**
     * Builds a PDF. Concurrent requests for the same document share the work.
     *
     * @returns null once it exists, or a sentence that says why it failed
     */
    make(annotatable: Annotatable, whose: string): Promise<string | null> {
      const path = getAnnotatedPdfPath(annotatable);
      const same = underWay.get(path);
      if (same) return same;
      if (underWay.size >= maxWaiting) return Promise.resolve(noPdf.busy);
      const making = runTraced({ name: "annotate pdf", kind: "client" }, async (note) => {
        try {
          const problem = await buildAnnotatedPdf(parts, annotatable, whose);
          counted.inc({ outcome: problem === null ? "made" : "refused" });
          note({ facts: { "naksha.annotated": problem === null ? "made" : "refused" } });
          return problem;
        } catch (error) {
          counted.inc({ outcome: "failed" });
          note({ failed: true });
          throw error;
        }
      }).finally(() => underWay.delete(path));
      underWay.set(path, making);
      return making;
    },
  };
}

/**
 * Builds a PDF in a temporary folder: first from the customer's files, then with pictures for files that
 * cannot be annotated.
 */
async function buildAnnotatedPdf(
  { config, store, annotator }: AnnotatedParts,
  annotatable: Annotatable,
  whose: string,
): Promise<string | null> {
  const folder = resolve(config.dataDir, "rendering", randomUUID());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const { content, originals, pictures, screenshots, paired } = annotatable;
    const fetching = { folder, store };
    for (const { bucket, path, file } of [...originals, ...screenshots])
      await downloadStoredFile(fetching, bucket, path, file);
    for (const { path, file } of paired) await downloadStoredFile(fetching, "derived", path, file);
    const run = async (usable: Annotatable["originals"]) => {
      // Parts that are not PDFs use pictures. After a failure, every part does.
      for (const { part, path, file } of pictures)
        if (!usable.some((original) => original.part === part) && !fetched.has(file)) {
          fetched.add(file);
          await downloadStoredFile(fetching, "derived", path, file);
        }
      const named = usable.map(({ part, file }) => ({ part, file }));
      const job: AnnotateJob = { ...content, folder, originals: named };
      return annotator.annotate(job, whose);
    };
    const fetched = new Set<string>();
    let left = annotatable.originals;
    let answer = await runOrRejectOriginals(run, left);
    while (!("bytes" in answer) && left.length > 0) {
      const unusable = "unusable" in answer ? answer.unusable : left.map(({ part }) => part);
      left = left.filter(({ part }) => !unusable.includes(part));
      answer = left.length > 0 ? await runOrRejectOriginals(run, left) : await run(left);
    }
    if (!("bytes" in answer)) return noPdf.tooLarge;
    await saveAnnotatedPdf(store, annotatable, join(folder, annotatedFile));
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the job. If a file kills the process, it returns the originals as unusable, since pictures may still
 * work.
 */
async function runOrRejectOriginals(
  run: (originals: Annotatable["originals"]) => Promise<AnnotateAnswer>,
  originals: Annotatable["originals"],
): Promise<AnnotateAnswer> {
  try {
    return await run(originals);
  } catch (error) {
    if (originals.length === 0) throw error;
    return { unusable: originals.map(({ part }) => part) };
  }
}

type Fetching = { folder: string; store: FileStore };

/** Copies a stored file into the folder. A missing one is skipped, and its reader reports it. */
async function downloadStoredFile(
  { folder, store }: Fetching,
  area: Area,
  path: string,
  file: string,
): Promise<void> {
  const existing = await store.open(area, path);
  if (!existing) return;
  const target = createWriteStream(join(folder, file));
  await pipeline(Readable.fromWeb(existing.stream as WebStream), target);
}

/** Saves a document and deletes its earlier versions, which no link uses. */
async function saveAnnotatedPdf(store: FileStore, annotatable: Annotatable, file: string) {
  const path = getAnnotatedPdfPath(annotatable);
  for await (const { path: other } of store.list("derived", `${top}/${annotatable.reviewId}`))
    if (other !== path) await store.delete("derived", other);
  await store.put("derived", path, file);
}

/** The age at which an unused PDF is deleted. */
const retentionMs = 7 * day;

/** Deletes PDFs of deleted reviews, and old ones, which can be rebuilt. @returns how many. */
export function sweepAnnotatedPdfs(db: Database, store: FileStore): Promise<number> {
  const oldBefore = now().getTime() - retentionMs;
  return sweepStore(store, {
    area: "derived",
    folder: top,
    listKnown: (ids) => listKnownIds(db, serviceReviews.id, ids),
    decide({ path, modifiedAt }) {
      const [, reviewId = ""] = path.split("/");
      return modifiedAt.getTime() < oldBefore ? "delete" : { key: reviewId };
    },
  });
}

/**
 * Annotates untrusted files, apart from the process that answers requests.
 *
 * @param options deadline of one document in milliseconds; the program of the process.
 */
export function createAnnotateProcess({
  deadline = 30 * second,
  program = getChildProgram("app/annotations/annotated-pdf/annotate-child.server.ts"),
} = {}) {
  const { run, close } = createJobQueue<AnnotateJob, AnnotateAnswer>({
    program,
    deadline,
    // The picture decoder is a native addon. The process can write nothing except its result.
    permissions: ({ folder }) => [
      "--allow-addons",
      `--allow-fs-write=${join(folder, annotatedFile)}`,
    ],
  });
  return {
    /**
     * Builds one document at a time, in the job's folder.
     *
     * @param whose the requester: people take turns, so one person's documents do not block the others
     * @throws {Error} when the process was killed or is closing.
     */
    async annotate(job: AnnotateJob, whose: string) {
      const answer = await run(job, whose);
      if ("failure" in answer) throw new Error(`A PDF cannot be annotated: ${answer.failure}`);
      return answer;
    },
    close,
  };
}

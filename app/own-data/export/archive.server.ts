import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { ZipArchive } from "archiver";
import { and, asc, eq, sql } from "drizzle-orm";
import { findAnnotatable } from "../../annotations/annotated-pdf/annotatable.server.ts";
import {
  type AnnotatedPdfs,
  getAnnotatedPdfPath,
} from "../../annotations/annotated-pdf/annotated-pdfs.server.ts";
import { cleanName } from "../../files/names.server.ts";
import type { Area, Bucket } from "../../files/rules.ts";
import type { FileStore } from "../../files/store.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { now, toIsoDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Unavailable } from "../../platform/errors.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import {
  type Exported,
  getSectionKey,
  readSection,
  type Section,
  sections,
} from "./sections.server.ts";

/** Changes when a program that reads data.json has to change. */
const schemaVersion = 1;

type Product = { name: string; origin: string };

/** The services that writing an archive needs. */
type ArchiveParts = {
  db: Database;
  store: FileStore;
  pdfs: Pick<AnnotatedPdfs, "make">;
  product: Product;
};

/** A completed review, and the path of its annotated PDF in the store, or the reason why there is none. */
type ExportedReview = {
  id: string;
  folder: string;
  pdf: string | null;
  problem: string | null;
};

/**
 * Lists a person's completed reviews, and makes the annotated PDFs that are missing.
 *
 * @returns `isComing` while pages are still rendered, without which a review has no PDF
 */
export async function listExportedReviews(
  { db, store, pdfs, product }: ArchiveParts,
  { id: userId }: Exported,
): Promise<{ reviews: ExportedReview[]; isComing: boolean }> {
  const rows = await db
    .select({
      id: serviceReviews.id,
      type: serviceReviews.serviceType,
      createdAt: serviceReviews.createdAt,
    })
    .from(serviceReviews)
    .where(and(eq(serviceReviews.userId, userId), eq(serviceReviews.status, "completed")))
    .orderBy(asc(serviceReviews.createdAt), asc(serviceReviews.id));
  const reviews: ExportedReview[] = [];
  let isComing = false;
  for (const row of rows) {
    const review = { id: row.id, folder: getReviewFolder(row) };
    const reader = { id: userId, isGodAdmin: false, isReviewer: false };
    const content = await findAnnotatable(db, reader, row.id, product.name);
    const annotatable = content?.annotatable ?? null;
    if (annotatable) {
      const path = getAnnotatedPdfPath(annotatable);
      const problem = (await store.stat("derived", path))
        ? null
        : await pdfs.make(annotatable, userId).catch(describePdfFailure);
      reviews.push({ ...review, pdf: problem === null ? path : null, problem });
    } else {
      isComing ||= content !== null;
      const problem = content ? "Its pages are still being prepared." : "It has no remarks.";
      reviews.push({ ...review, pdf: null, problem });
    }
  }
  return { reviews, isComing };
}

function describePdfFailure(error: unknown): string {
  if (error instanceof Unavailable) throw error;
  return "It could not be made.";
}

/**
 * Writes everything about a person to a ZIP file, with little memory whatever its size.
 *
 * @param target the path of the new file on this machine
 * @param signal stops writing
 * @returns the size in bytes, and the number of files that the store doesn't have
 */
export async function writeArchive(
  { db, store, product }: ArchiveParts,
  {
    person,
    reviews,
    target,
    signal,
  }: { person: Exported; reviews: ExportedReview[]; target: string; signal: AbortSignal },
): Promise<{ size: number; missing: number }> {
  const zip = createZip(target, signal);
  try {
    await zip.add("README.txt", buildReadme(product));
    // One transaction, so that all rows are of the same moment.
    const files = await db.transaction(async (tx) => {
      await tx.execute(sql`set transaction isolation level repeatable read, read only`);
      const about = {
        schema: schemaVersion,
        product: product.name,
        origin: product.origin,
        exportedAt: now(),
      };
      await zip.add("data.json", Readable.from(writeJson(tx, { about }, sections, person)));
      const parts = sections.filter(({ isOfReview }) => isOfReview);
      for (const { id, folder, pdf, problem } of reviews) {
        const head = { about: { ...about, annotatedPdf: pdf && "annotated.pdf", problem } };
        const json = writeJson(tx, head, parts, { ...person, reviewId: id });
        await zip.add(`${folder}/review.json`, Readable.from(json));
      }
      return listExportedFiles(tx, person);
    });
    const missing: string[] = [];
    const addStored = async (name: string, area: Area, path: string) => {
      const file = await store.open(area, path);
      if (file) await zip.add(name, Readable.fromWeb(file.stream as WebStream));
      else missing.push(name);
    };
    for (const { folder, pdf } of reviews)
      if (pdf) await addStored(`${folder}/annotated.pdf`, "derived", pdf);
    for (const { name, bucket, path } of files) await addStored(name, bucket, path);
    if (missing.length > 0)
      await zip.add("missing.txt", `We no longer have these files:\n\n${missing.join("\n")}\n`);
    await zip.finish();
    return { size: (await stat(target)).size, missing: missing.length };
  } finally {
    await zip.close();
  }
}

/** Opens a ZIP file, whose entries are written one after the other. */
function createZip(target: string, signal: AbortSignal) {
  // Most files are compressed already, and a higher level only costs time.
  const archive = new ZipArchive({ zlib: { level: 1 } });
  const stop = new AbortController();
  const written = pipeline(archive, createWriteStream(target, { mode: 0o600 }), {
    signal: AbortSignal.any([signal, stop.signal]),
  });
  // A failure is thrown by the next call.
  written.catch(() => {});
  const failed = written.then(() => {
    throw new Error("The archive has ended.");
  });
  failed.catch(() => {});
  return {
    /** Adds a file, and waits until it is written. */
    async add(name: string, content: Readable | string): Promise<void> {
      const added = once(archive, "entry");
      const ends: Promise<unknown>[] = [added, failed];
      if (content instanceof Readable)
        ends.push(once(content, "error").then(([error]) => Promise.reject(error as Error)));
      archive.append(content, { name, date: now() });
      await Promise.race(ends);
    },
    async finish(): Promise<void> {
      await Promise.all([archive.finalize(), written]);
    },
    /** Stops writing if it hasn't finished. */
    async close(): Promise<void> {
      stop.abort();
      await written.catch(() => {});
    },
  };
}

/** Writes rows as JSON, one line each. */
async function* writeJson(
  tx: Database,
  head: Record<string, unknown>,
  listed: Section[],
  person: Exported,
): AsyncGenerator<string> {
  yield `{\n${JSON.stringify(head).slice(1, -1)}`;
  for (const section of listed) {
    yield `,\n${JSON.stringify(getSectionKey(section))}: [`;
    let separator = "\n";
    for await (const row of readSection(tx, section, person)) {
      yield separator + JSON.stringify(section.table === storedFiles ? addFileName(row) : row);
      separator = ",\n";
    }
    yield "]";
  }
  yield "}\n";
}

type FileRow = { id: string; bucket: Bucket; path: string; originalName: string; createdAt: Date };

/** Adds the file's name in the archive to its row. */
function addFileName(row: Record<string, unknown>): Record<string, unknown> {
  return { ...row, file: getFileName(row as FileRow) };
}

async function listExportedFiles(tx: Database, person: Exported) {
  const section = sections.find(({ table }) => table === storedFiles)!;
  const files: { name: string; bucket: Bucket; path: string }[] = [];
  for await (const row of readSection(tx, section, person)) {
    const file = row as FileRow;
    files.push({ name: getFileName(file), bucket: file.bucket, path: file.path });
  }
  return files;
}

/** The day and the start of the id tell files of the same name apart. */
function getFileName({ id, originalName, createdAt }: FileRow): string {
  return `files/${toIsoDay(createdAt)}-${id.slice(0, 8)}-${cleanName(originalName)}`;
}

function getReviewFolder({
  id,
  type,
  createdAt,
}: {
  id: string;
  type: ServiceType;
  createdAt: Date;
}) {
  return `reviews/${toIsoDay(createdAt)}-${type.replaceAll("_", "-")}-${id.slice(0, 8)}`;
}

function buildReadme({ name, origin }: Product): string {
  return `Your data at ${name}

data.json   everything we store about you, one list for each kind
reviews/    each completed review, as data (review.json) and with its remarks (annotated.pdf)
files/      the files that you uploaded, and those that reviewers gave you

Passwords, keys, links that log you in, and other people's data are left out.
Questions: ${origin}/contact
`;
}

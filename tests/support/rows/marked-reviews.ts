import { noText } from "../../../app/files/inspect/pdfium-text.server.ts";
import { eq } from "drizzle-orm";
import { rendererVersion } from "../../../app/files/render/rendering.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import {
  renderedFiles,
  reviewPages,
  reviewRemarks,
} from "../../../app/annotations/tables.server.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { storedFile } from "./reviews.ts";

type Rendering = { state?: "rendering" | "done" | "failed"; pages?: number };

/** The text on each page of `withPages`, on one line a fifth from the top. */
export const pageWords = "Redesigned onboarding for the clinic app";

/** Adds rendered pages with text to a review's resume, without pictures. */
export async function withPages(
  db: Database,
  reviewId: string,
  { state = "done", pages = 2 }: Rendering = {},
): Promise<void> {
  const [review] = await db.select().from(serviceReviews).where(eq(serviceReviews.id, reviewId));
  const { id: fileId } = await storedFile(
    db,
    { id: review!.userId },
    "resumes",
    review!.resumeFilePath!,
  );
  await db.insert(renderedFiles).values({
    fileId,
    renderer: rendererVersion,
    state,
    pageCount: 2,
    problem: state === "failed" ? "We couldn't prepare the pages of this file." : null,
    touchedAt: now(),
  });
  await addPages(db, fileId, pages);
}

/** Adds pages to a file, as rendering does one by one. */
export async function addPages(db: Database, fileId: string, count: number): Promise<void> {
  if (count === 0) return;
  await db.insert(reviewPages).values(
    Array.from({ length: count }, (_, index) => ({
      fileId,
      renderer: rendererVersion,
      number: index + 1,
      width: 595,
      height: 842,
      bands: [{ top: 0, height: 1 }],
      text: { ...noText, text: pageWords, words: wordBoxes(pageWords) },
    })),
  );
}

function wordBoxes(text: string) {
  return [...text.matchAll(/\S+/g)].map(
    ({ 0: word, index }): [number, number, number, number, number, number] => [
      index,
      word.length,
      0.1 + index * 0.015,
      0.2,
      word.length * 0.015,
      0.02,
    ],
  );
}

/** Inserts a remark on the first page of a resume. @returns its id */
export async function remarkOn(
  db: Database,
  reviewId: string,
  author: { id: string | null },
  remark: Partial<typeof reviewRemarks.$inferInsert> = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const at = now();
  await db.insert(reviewRemarks).values({
    id,
    reviewId,
    authorId: author.id,
    part: "resume",
    page: 1,
    severity: "must",
    text: "Say what came of it.",
    createdAt: at,
    updatedAt: at,
    ...remark,
  });
  return id;
}

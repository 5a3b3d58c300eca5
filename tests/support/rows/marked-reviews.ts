import { services } from "../../../app/reviews/rules.ts";
import { randomUUID } from "node:crypto";
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
import { changeDraft } from "../../../app/review-customer/buy/drafts.server.ts";
import { reviewDrafts, serviceReviews } from "../../../app/reviews/tables.server.ts";
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

export const blackBox = { page: 1, x: 0.1, y: 0.1, width: 0.2, height: 0.2 };

/**
 * Puts a resume with a page into the actor's draft.
 *
 * @param isRequested true if the draft asks for a blacked-out copy
 * @returns the version of its boxes
 */
export async function draftToBlackOut(
  db: Database,
  actor: { id: string } | null,
  isRequested = false,
): Promise<string> {
  if (!actor) return "";
  const file = await storedFile(db, actor, "resumes");
  await changeDraft(db, actor.id, services.resume_review, { resumeFileId: file.id });
  await db.insert(renderedFiles).values({
    fileId: file.id,
    renderer: rendererVersion,
    state: "done",
    pageCount: 1,
    touchedAt: now(),
  });
  await addPages(db, file.id, 1);
  const id = randomUUID();
  const resumeCopy = { id, boxes: [blackBox], attempts: 0, problem: null };
  if (isRequested)
    await db.update(reviewDrafts).set({ resumeCopy }).where(eq(reviewDrafts.userId, actor.id));
  return `${file.id}:`;
}

import { eq } from "drizzle-orm";
import type { PageText } from "../../files/inspect/page-text.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { listHandedImages } from "../../reviews/materials.server.ts";
import {
  findHandedInFiles,
  type HandedIn,
  listPages,
  listScreenshots,
  findPageText,
} from "../document-pages/pages.server.ts";
import { parseTarget } from "../rules.ts";
import { reviewRemarks, reviewScores } from "../tables.server.ts";
import { withoutAuthor, listRemarks } from "./remarks.server.ts";
import { getScores } from "./scores.server.ts";

/** A review with its pages, remarks and scores. */
export type MarkedReview = Awaited<ReturnType<typeof getMarkedReview>>;

/** Returns the data of the remark editor. Check permission before calling it. */
export async function getMarkedReview(db: Database, review: HandedIn & { id: string }) {
  const [pages, images, remarks, scores] = await Promise.all([
    listPages(db, review),
    listHandedImages(db, review.id),
    listRemarks(db, review.id),
    getScores(db, review.id),
  ]);
  const screenshots = await listScreenshots(db, images);
  return { pages, images, screenshots, remarks: remarks.map(withoutAuthor), scores };
}

/** Counts the remarks and scores of a review. */
export async function countAnnotations(db: Database, reviewId: string) {
  const [remarks, scores] = await Promise.all([
    db.$count(reviewRemarks, eq(reviewRemarks.reviewId, reviewId)),
    db.$count(reviewScores, eq(reviewScores.reviewId, reviewId)),
  ]);
  return { remarks, scores };
}

/**
 * Returns data for the editor's scripts: the current remarks and scores, for a tab that learns of a save in
 * another tab; or with `?text=resume-2`, the words of that page with their boxes. Check permission before
 * calling it.
 *
 * @throws {NotFound} for an unknown page.
 */
export async function loadEditor(
  db: Database,
  reviewId: string,
  request: Request,
): Promise<Response> {
  const headers = { "cache-control": "private, no-store" };
  const pageKey = new URL(request.url).searchParams.get("text");
  if (pageKey !== null) return Response.json(await getPageText(db, reviewId, pageKey), { headers });
  const [remarks, scores] = await Promise.all([listRemarks(db, reviewId), getScores(db, reviewId)]);
  return Response.json({ remarks: remarks.map(withoutAuthor), scores }, { headers });
}

async function getPageText(db: Database, reviewId: string, key: string): Promise<PageText> {
  const target = parseTarget(key);
  const review = await findHandedInFiles(db, reviewId);
  const text =
    review && target?.kind === "page"
      ? await findPageText(db, review, target.part, target.page)
      : null;
  if (!text) throw new NotFound();
  return text;
}

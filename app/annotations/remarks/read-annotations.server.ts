import type { PageText } from "../../files/inspect/page-text.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { type HandedImage, listImages } from "../../reviews/materials.server.ts";
import type { Scores } from "../../reviews/rubric.ts";
import {
  findHandedIn,
  type HandedIn,
  listPages,
  listScreenshots,
  pageText,
  type PartPages,
} from "../document-pages/pages.server.ts";
import { parseTarget, type Remark, type ScreenshotView } from "../rules.ts";
import { asRemark, listRemarks } from "./remarks.server.ts";
import { readScores } from "./scores.server.ts";

/** What is marked of a review, and what with. */
export type MarkedReview = {
  pages: PartPages[];
  images: HandedImage[];
  /** What of the images is ours, with its sides. */
  screenshots: ScreenshotView[];
  remarks: Remark[];
  scores: Scores;
};

/** All that the editor of remarks shows of a review; who may see it is asked before. */
export async function readMarkedReview(
  db: Database,
  review: HandedIn & { id: string },
): Promise<MarkedReview> {
  const [pages, images, remarks, scores] = await Promise.all([
    listPages(db, review),
    listImages(db, review.id),
    listRemarks(db, review.id),
    readScores(db, review.id),
  ]);
  const screenshots = await listScreenshots(db, images);
  return { pages, images, screenshots, remarks: remarks.map(asRemark), scores };
}

/**
 * What scripts of the editor read of a review: the remarks and scores as they are now, for a tab that hears
 * that another one has saved; or, asked with `?text=resume-2`, the words of that page with their boxes. Who
 * may see the review is asked before.
 *
 * @throws {NotFound} for a page that is not there.
 */
export async function readEditor(
  db: Database,
  reviewId: string,
  request: Request,
): Promise<Response> {
  const headers = { "cache-control": "private, no-store" };
  const asked = new URL(request.url).searchParams.get("text");
  if (asked !== null) return Response.json(await readText(db, reviewId, asked), { headers });
  const [remarks, scores] = await Promise.all([
    listRemarks(db, reviewId),
    readScores(db, reviewId),
  ]);
  return Response.json({ remarks: remarks.map(asRemark), scores }, { headers });
}

async function readText(db: Database, reviewId: string, key: string): Promise<PageText> {
  const target = parseTarget(key);
  const review = await findHandedIn(db, reviewId);
  const text =
    review && target?.kind === "page" ? await pageText(db, review, target.part, target.page) : null;
  if (!text) throw new NotFound();
  return text;
}

import { and, desc, eq, inArray, or } from "drizzle-orm";
import { getPictureAddress, rendererVersion } from "../../files/render/rendering.ts";
import { storedFiles } from "../../files/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { reviewPages } from "../tables.server.ts";
import { type Thumbnail, toThumbnail } from "./page-thumbnail.tsx";

/** True in SQL for the files that a customer sent with a review. */
export const isMaterial = or(
  and(eq(storedFiles.bucket, "resumes"), eq(storedFiles.path, serviceReviews.resumeFilePath)),
  and(eq(storedFiles.bucket, "portfolios"), eq(storedFiles.path, serviceReviews.portfolioFilePath)),
);

/** Builds a cover from the first page of a file; null without its picture. */
export function toCover({
  fileId,
  width,
  height,
  bands,
}: Pick<
  typeof reviewPages.$inferSelect,
  "fileId" | "width" | "height" | "bands"
>): Thumbnail | null {
  const small = getPictureAddress({ fileId, page: 1, band: 0, width: "small" });
  return toThumbnail({ width, height, bands: bands.slice(0, 1).map(() => ({ small })) });
}

/**
 * Lists the covers of a person's own reviews by review id: the first page of the resume, or of the portfolio without
 * one. Reviews without rendered pages have none.
 */
export async function listCovers(
  db: Database,
  owner: { id: string },
  reviewIds: string[],
): Promise<Map<string, Thumbnail>> {
  if (reviewIds.length === 0) return new Map();
  const isFirstPage = and(
    eq(reviewPages.fileId, storedFiles.id),
    eq(reviewPages.renderer, rendererVersion),
    eq(reviewPages.number, 1),
  );
  const rows = await db
    .selectDistinctOn([serviceReviews.id], {
      reviewId: serviceReviews.id,
      fileId: reviewPages.fileId,
      width: reviewPages.width,
      height: reviewPages.height,
      bands: reviewPages.bands,
    })
    .from(serviceReviews)
    .innerJoin(storedFiles, isMaterial)
    .innerJoin(reviewPages, isFirstPage)
    .where(and(eq(serviceReviews.userId, owner.id), inArray(serviceReviews.id, reviewIds)))
    .orderBy(serviceReviews.id, desc(storedFiles.bucket));
  return new Map(
    rows.flatMap(({ reviewId, ...page }): [string, Thumbnail][] => {
      const cover = toCover(page);
      return cover ? [[reviewId, cover]] : [];
    }),
  );
}

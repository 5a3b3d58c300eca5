import { asc, eq } from "drizzle-orm";
import type { Database } from "../platform/database.server.ts";
import { uploadLink } from "./addresses.ts";
import { reviewFiles, reviewImages } from "./tables.server.ts";

/** What a reviewer hands back beside the feedback; `href` is null when what was kept is no safe link. */
export type HandedImage = { id: string; href: string | null; annotation: string | null };
export type HandedFile = {
  id: string;
  href: string | null;
  name: string;
  type: string;
  description: string | null;
};

/** Lists the images of a review in the order in which they were added; who may see them is asked before. */
export async function listImages(db: Database, reviewId: string): Promise<HandedImage[]> {
  const rows = await db
    .select()
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, reviewId))
    .orderBy(asc(reviewImages.createdAt), asc(reviewImages.id));
  return rows.map(({ id, imageUrl, annotation }) => ({
    id,
    href: uploadLink(imageUrl),
    annotation,
  }));
}

/** The same of its files. */
export async function listFiles(db: Database, reviewId: string): Promise<HandedFile[]> {
  const rows = await db
    .select()
    .from(reviewFiles)
    .where(eq(reviewFiles.reviewId, reviewId))
    .orderBy(asc(reviewFiles.createdAt), asc(reviewFiles.id));
  return rows.map((row) => ({
    id: row.id,
    href: uploadLink(row.fileUrl),
    name: row.fileName,
    type: row.fileType,
    description: row.description,
  }));
}

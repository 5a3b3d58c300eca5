import { eq } from "drizzle-orm";
import { toThumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import {
  ensurePages,
  type HandedIn,
  listPages,
  listPageTexts,
  type PartPages,
} from "../../annotations/document-pages/pages.server.ts";
import { listBlackedOutParts } from "../../annotations/machine-reading/machine-reading.server.ts";
import { describeFile } from "../../annotations/machine-reading/findings.server.ts";
import { findRenderableKind } from "../../files/render/rendering.ts";
import type { Database } from "../../platform/database.server.ts";
import type { ServiceKey } from "../../reviews/second-looks.ts";
import { isOwnDraft } from "../../reviews/second-looks.server.ts";
import { reviewDrafts } from "../../reviews/tables.server.ts";
import { portfolioFiles, resumeFiles } from "./drafts.server.ts";
import { type DraftPreview, type Part, shownPages } from "./submission.ts";

/**
 * Lists previews of the files in a person's draft: their first pages and what software reads. Files without pages, such
 * as Word documents, have none. Queues the rendering again if it was lost.
 */
export async function listDraftPreviews(
  db: Database,
  actor: { id: string },
  key: ServiceKey,
): Promise<DraftPreview[]> {
  const [files] = await db
    .select({ resume: resumeFiles, portfolio: portfolioFiles })
    .from(reviewDrafts)
    .leftJoin(resumeFiles, eq(resumeFiles.id, reviewDrafts.resumeFileId))
    .leftJoin(portfolioFiles, eq(portfolioFiles.id, reviewDrafts.portfolioFileId))
    .where(isOwnDraft(actor, key));
  if (!files) return [];
  const handedIn: HandedIn = {
    resumeFilePath: files.resume?.path ?? null,
    portfolioFilePath: files.portfolio?.path ?? null,
  };
  await ensurePages(db, handedIn);
  const parts = await listPages(db, handedIn);
  const copies = await listBlackedOutParts(db, handedIn);
  const withPages = parts.filter(({ part }) => findRenderableKind(files[part]?.mimeType ?? ""));
  return Promise.all(
    withPages.map(async ({ part, pages, pageCount, isComing, notice }) => ({
      part,
      hasText: isPdfType(files[part]!.mimeType) && !copies.includes(part),
      thumbnails: pages
        .slice(0, shownPages)
        .map(toThumbnail)
        .filter((thumbnail) => thumbnail !== null),
      pageCount,
      isComing,
      notice: isComing ? null : notice,
      reading: copies.includes(part)
        ? null
        : await readDraftText(db, handedIn, { part, isComing, notice }, files[part]!),
    })),
  );
}

/** Reads the text of a complete PDF. In a partial one, missing text proves nothing. */
async function readDraftText(
  db: Database,
  handedIn: HandedIn,
  { part, isComing, notice }: Pick<PartPages, "isComing" | "notice"> & { part: Part },
  { mimeType, size }: { mimeType: string; size: number },
) {
  if (isComing || notice !== null || !isPdfType(mimeType)) return null;
  const pages = await listPageTexts(db, handedIn, part);
  return pages.length === 0 ? null : describeFile(part, pages, size);
}

function isPdfType(mimeType: string): boolean {
  return findRenderableKind(mimeType) === "pdf";
}

import { and, desc, eq, inArray, or } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { type Thumbnail, toThumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import { renderedFiles, reviewPages } from "../../annotations/tables.server.ts";
import { getPictureAddress, rendererVersion } from "../../files/render/rendering.ts";
import { storedFiles } from "../../files/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { formatTargetRole } from "../../reviews/brief.ts";
import { reviewAssignments, reviewBriefs, serviceReviews } from "../../reviews/tables.server.ts";
import { isOwnAssignment } from "./find.server.ts";

/** The facts about a customer's work on a card of the dashboard. */
export type CardFacts = {
  /** The role that the customer wants; null if they named none. */
  targetRole: string | null;
  /** The pages of all files that were counted; 0 without any. */
  pageCount: number;
  /** The first page of the resume, or of the portfolio without one; null until it is rendered. */
  cover: Thumbnail | null;
};

/** Lists the facts of a reviewer's own assignments by review id; those of other reviewers have none. */
export async function listCardFacts(
  db: Database,
  actor: Actor,
  reviewIds: string[],
): Promise<Map<string, CardFacts>> {
  const facts = new Map<string, CardFacts>();
  if (reviewIds.length === 0) return facts;
  const files = await selectFiles(db, actor, reviewIds);
  for (const { reviewId, role, company, pageCount, ...page } of files) {
    const before = facts.get(reviewId);
    facts.set(reviewId, {
      targetRole: formatTargetRole({ role, company }),
      pageCount: (before?.pageCount ?? 0) + (pageCount ?? 0),
      cover: before?.cover ?? toCover(page),
    });
  }
  return facts;
}

/** Selects one row for each file of the reviews, the resume first, and one for a review without files. */
function selectFiles(db: Database, actor: Actor, reviewIds: string[]) {
  const isMaterial = or(
    and(eq(storedFiles.bucket, "resumes"), eq(storedFiles.path, serviceReviews.resumeFilePath)),
    and(
      eq(storedFiles.bucket, "portfolios"),
      eq(storedFiles.path, serviceReviews.portfolioFilePath),
    ),
  );
  const isCurrent = and(
    eq(renderedFiles.fileId, storedFiles.id),
    eq(renderedFiles.renderer, rendererVersion),
  );
  const isFirstPage = and(
    eq(reviewPages.fileId, renderedFiles.fileId),
    eq(reviewPages.renderer, renderedFiles.renderer),
    eq(reviewPages.number, 1),
  );
  return db
    .select({
      reviewId: reviewAssignments.reviewId,
      role: reviewBriefs.role,
      company: reviewBriefs.company,
      pageCount: renderedFiles.pageCount,
      fileId: reviewPages.fileId,
      width: reviewPages.width,
      height: reviewPages.height,
      bands: reviewPages.bands,
    })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewAssignments.reviewId))
    .leftJoin(reviewBriefs, eq(reviewBriefs.reviewId, serviceReviews.id))
    .leftJoin(storedFiles, isMaterial)
    .leftJoin(renderedFiles, isCurrent)
    .leftJoin(reviewPages, isFirstPage)
    .where(and(isOwnAssignment(db, actor), inArray(reviewAssignments.reviewId, reviewIds)))
    .orderBy(desc(storedFiles.bucket));
}

type FirstPage = Pick<
  Awaited<ReturnType<typeof selectFiles>>[number],
  "fileId" | "width" | "height" | "bands"
>;

function toCover({ fileId, width, height, bands }: FirstPage): Thumbnail | null {
  if (fileId === null || width === null || height === null || bands === null) return null;
  const small = getPictureAddress({ fileId, page: 1, band: 0, width: "small" });
  return toThumbnail({ width, height, bands: bands.slice(0, 1).map(() => ({ small })) });
}

import { and, desc, eq, inArray } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { isMaterial, toCover } from "../../annotations/document-pages/covers.server.ts";
import type { Thumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import { renderedFiles, reviewPages } from "../../annotations/tables.server.ts";
import { rendererVersion } from "../../files/render/rendering.ts";
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
  for (const { reviewId, role, company, pageCount, firstPage } of files) {
    const before = facts.get(reviewId);
    facts.set(reviewId, {
      targetRole: formatTargetRole({ role, company }),
      pageCount: (before?.pageCount ?? 0) + (pageCount ?? 0),
      cover: before?.cover ?? (firstPage && toCover(firstPage)),
    });
  }
  return facts;
}

/** Selects one row for each file of the reviews, the resume first, and one for a review without files. */
function selectFiles(db: Database, actor: Actor, reviewIds: string[]) {
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
      firstPage: {
        fileId: reviewPages.fileId,
        width: reviewPages.width,
        height: reviewPages.height,
        bands: reviewPages.bands,
      },
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

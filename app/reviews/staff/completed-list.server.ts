import { and, count, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/authorize.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { readCursor, writeCursor } from "../../platform/page-cursor.server.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import {
  buyer,
  holder,
  ofItsBuyer,
  ofItsHolder,
  ofItsReview,
  reviewerName,
  userName,
} from "./assignment-rows.server.ts";
import {
  atMoment,
  cursorMoment,
  listed,
  type ListedReview,
  listedReview,
  type ListPage,
  rowsPerPage,
} from "./listed-review.server.ts";
import { feedbackPreview, previewLength } from "./rules.ts";

export type CompletedReview = ListedReview & {
  userName: string;
  reviewerName: string;
  completedAt: Date;
  /** The beginning of the feedback, or that there is none. */
  preview: string;
};

/** Lists the reviews that were submitted, the newest completion first. */
export async function listCompletedReviews(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
): Promise<ListPage<CompletedReview>> {
  authorize(actor, "review.oversee");
  const filter = and(
    isNotNull(reviewAssignments.completedAt),
    eq(serviceReviews.status, "completed"),
  );
  const [rows, [counted]] = await Promise.all([
    db
      .select({ ...listed, ...completed })
      .from(reviewAssignments)
      .innerJoin(serviceReviews, ofItsReview)
      .leftJoin(buyer, ofItsBuyer)
      .leftJoin(holder, ofItsHolder)
      .where(and(filter, behind(after)))
      .orderBy(desc(reviewAssignments.completedAt), desc(reviewAssignments.id))
      .limit(rowsPerPage + 1),
    db
      .select({ total: count() })
      .from(reviewAssignments)
      .innerJoin(serviceReviews, ofItsReview)
      .where(filter),
  ]);
  const shown = rows.slice(0, rowsPerPage);
  const last = shown.at(-1);
  return {
    rows: shown.map(({ beginning, ...row }) => ({
      ...listedReview(row),
      userName: row.userName,
      reviewerName: row.reviewerName,
      completedAt: row.completedAt,
      preview: feedbackPreview(beginning),
    })),
    next:
      last && rows.length > shown.length
        ? writeCursor([last.completedAt.getTime(), last.assignmentId])
        : null,
    total: counted?.total ?? 0,
  };
}

const completed = {
  assignmentId: reviewAssignments.id,
  // The list's filter leaves none out.
  completedAt: sql<Date>`${reviewAssignments.completedAt}`.mapWith(reviewAssignments.completedAt),
  userName,
  reviewerName,
  // Enough to see that there is more, and to keep a long character whole.
  beginning: sql<
    string | null
  >`left(regexp_replace(${serviceReviews.reviewerFeedback}, '^\\s+', ''), ${previewLength * 4})`,
};

const cursor = z.tuple([cursorMoment, z.guid()]);

function behind(after: string | null): SQL | undefined {
  const place = readCursor(after, cursor);
  return place
    ? sql`(${reviewAssignments.completedAt}, ${reviewAssignments.id}) < (${atMoment(place[0])}, ${place[1]}::uuid)`
    : undefined;
}

import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { readCursor } from "../../platform/list.server.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import {
  countAssignments,
  readAssignments,
  reviewerName,
  userName,
} from "../assign/assignment-rows.server.ts";
import {
  atMoment,
  cursorMoment,
  type ListedReview,
  listedReview,
  type ListPage,
  pageOf,
} from "../assign/listed-review.server.ts";
import { feedbackPreview, previewLength } from "../staff-rules.ts";

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
  const [rows, total] = await Promise.all([
    readAssignments(db, completed, {
      where: and(filter, behind(after)),
      order: [desc(reviewAssignments.completedAt), desc(reviewAssignments.id)],
    }),
    countAssignments(db, filter),
  ]);
  const { shown, next } = pageOf(rows, ({ completedAt, assignmentId }) => [
    completedAt.getTime(),
    assignmentId,
  ]);
  return {
    rows: shown.map(({ beginning, ...row }) => ({
      ...listedReview(row),
      userName: row.userName,
      reviewerName: row.reviewerName,
      completedAt: row.completedAt,
      preview: feedbackPreview(beginning),
    })),
    next,
    total,
  };
}

const completed = {
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

import { and, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { countUpTo, type Order, readPage } from "../../platform/list.server.ts";
import { readAssignments, reviewerName, userName } from "../assign/assignment-rows.server.ts";
import {
  isCompleted,
  type ListedReview,
  listedReview,
  type ReviewsPage,
  rowsPerPage,
} from "../assign/listed-review.server.ts";
import { feedbackPreview, previewLength } from "../staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";

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
): Promise<ReviewsPage<CompletedReview>> {
  authorize(actor, "review.oversee");
  const [{ rows, ...beside }, total] = await Promise.all([
    readPage(newestFirst, { cursor: after, size: rowsPerPage }, ({ where, ...part }) =>
      readAssignments(db, completed, { where: and(isCompleted, where), ...part }),
    ),
    countUpTo(db, reviewAssignments, isCompleted),
  ]);
  return {
    rows: rows.map(({ beginning, ...row }) => ({
      ...listedReview(row),
      userName: row.userName,
      reviewerName: row.reviewerName,
      completedAt: row.completedAt,
      preview: feedbackPreview(beginning),
    })),
    total,
    ...beside,
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

const newestFirst: Order<{ completedAt: Date; assignmentId: string }> = {
  keys: [
    {
      by: reviewAssignments.completedAt,
      type: "timestamptz",
      of: ({ completedAt }) => completedAt,
    },
    { by: reviewAssignments.id, type: "uuid", of: ({ assignmentId }) => assignmentId },
  ],
  direction: "desc",
};

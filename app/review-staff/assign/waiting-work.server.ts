import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countLabel } from "../../platform/lists/lists.ts";
import { countOverdueReviews } from "../../reviews/due-dates/due-dates.server.ts";
import { countQuestionsToMove } from "./assign-question.server.ts";
import { countPendingReviews } from "./lists.server.ts";
import { dueFirst } from "./reviews-query.ts";

export const overdueReviews: WaitingWork = {
  name: "overdue",
  one: "assigned review is overdue",
  several: "assigned reviews are overdue",
  action: "Show first",
  to: `/admin/reviews/assigned?sort=${dueFirst.value}`,
  count: (db, actor) => countOverdueReviews(db, actor, "under_review"),
};

export const unassignedReviews: WaitingWork = {
  name: "unassigned",
  one: "review waits for a reviewer",
  several: "reviews wait for a reviewer",
  action: "Assign",
  to: `/admin/reviews?sort=${dueFirst.value}`,
  async count(db, actor) {
    const [waiting, overdue] = await Promise.all([
      countPendingReviews(db, actor),
      countOverdueReviews(db, actor, "pending"),
    ]);
    return overdue.counted > 0 ? { ...waiting, note: `${countLabel(overdue)} overdue` } : waiting;
  },
};

export const questionsToMove: WaitingWork = {
  name: "questions",
  one: "question is about to be late, or has no reviewer",
  several: "questions are about to be late, or have no reviewer",
  action: "See the questions",
  to: "/admin/reviews/questions",
  count: countQuestionsToMove,
};

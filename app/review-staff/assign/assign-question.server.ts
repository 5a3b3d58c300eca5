import { and, asc, eq, lte, not, or, sql } from "drizzle-orm";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { isOpenQuestion } from "../../annotations/follow-up/questions.server.ts";
import {
  notifyReviewerOfMovedQuestionLater,
  notifyReviewerOfQuestionLater,
} from "../../annotations/follow-up/emails.server.tsx";
import {
  answeredWithin,
  escalatedAfter,
  followUpMessages as messages,
} from "../../annotations/follow-up/rules.ts";
import { followUpQuestions } from "../../annotations/follow-up/tables.server.ts";
import type { Sender } from "../../mail/deliver-mail.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import {
  buildSuccess,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { buildDueView } from "../../reviews/due-dates/due-dates.ts";
import { isActiveReviewer, lockReview } from "../../reviews/locks.server.ts";
import { messages as staffMessages } from "../../reviews/staff-rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { lockReviewer } from "./assign-reviews.server.ts";

/**
 * Gives a customer's open question to another reviewer, also if the first lost the role or is banned. Its due time and
 * the draft of its answer stay. Both reviewers get an email.
 *
 * @throws {Invalid} without a choice, or for a reviewer who lost the role, is banned or bought the review.
 * @throws {NotFound} for an unknown review.
 * @throws {Conflict} when the question is answered or refunded, or is with this reviewer already.
 */
export async function assignQuestion(
  db: Database,
  actor: Actor | null,
  { reviewId, reviewerId }: { reviewId: string; reviewerId: string },
  sender: Sender,
): Promise<void> {
  authorize(actor, "review.assign");
  if (!reviewerId) throw new Invalid({ reviewer: staffMessages.noReviewer });
  await db.transaction(async (tx) => {
    const reviewer = await lockReviewer(tx, reviewerId);
    const review = await lockReview(tx, reviewId);
    const [open] = await tx
      .select({ dueAt: followUpQuestions.dueAt, former: followUpQuestions.reviewerId })
      .from(followUpQuestions)
      .innerJoin(serviceReviews, eq(serviceReviews.id, followUpQuestions.reviewId))
      .where(and(eq(followUpQuestions.reviewId, reviewId), isOpenQuestion));
    if (!open) throw new Conflict(messages.notOpen);
    if (open.former === reviewer.id) throw new Conflict(messages.alreadyTheirs);
    if (review.userId === reviewer.id) throw new Invalid({ reviewer: messages.ownReview });
    await tx
      .update(followUpQuestions)
      .set({ reviewerId: reviewer.id })
      .where(eq(followUpQuestions.reviewId, reviewId));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "question.assign",
        subject: { type: "review", id: reviewId },
        before: { reviewerId: open.former },
        after: { reviewerId: reviewer.id },
      },
    ]);
    const { serviceType } = review;
    const cause = `question-moved:${reviewId}:${now().toISOString()}`;
    await notifyReviewerOfMovedQuestionLater(tx, sender, open.former, { cause, serviceType });
    await notifyReviewerOfQuestionLater(tx, sender, reviewer.id, {
      ...review,
      dueAt: open.dueAt!,
    });
  });
}

/** Answers the form that gives a question to another reviewer. */
export const assignQuestionForm = createFormIntent({
  schema: z.object({ reviewId: z.string(), reviewer: z.string() }),
  run({ context, value: { reviewId, reviewer } }) {
    const { db, config } = context.get(appContext);
    const chosen = { reviewId, reviewerId: reviewer };
    return assignQuestion(db, context.get(currentActor), chosen, config);
  },
  done: () => buildSuccess("The question has another reviewer"),
  failed: showReasonAboveForm("The question wasn't moved"),
});

const maxListed = 100;

/** Lists the open questions, the first due one first, up to a hundred. */
export async function listOpenQuestions(db: Database, actor: Actor | null) {
  authorize(actor, "review.oversee");
  const customers = sql`(select full_name from profiles where id = ${serviceReviews.userId})`;
  const rows = await db
    .select({
      reviewId: followUpQuestions.reviewId,
      serviceType: serviceReviews.serviceType,
      question: followUpQuestions.question,
      customer: sql<string | null>`${customers}`,
      reviewerId: followUpQuestions.reviewerId,
      reviewer: profiles.fullName,
      dueAt: followUpQuestions.dueAt,
      canAnswer: sql<boolean>`${isActiveReviewer(db, followUpQuestions.reviewerId)}`,
    })
    .from(followUpQuestions)
    .innerJoin(serviceReviews, eq(serviceReviews.id, followUpQuestions.reviewId))
    .leftJoin(profiles, eq(profiles.id, followUpQuestions.reviewerId))
    .where(isOpenQuestion)
    .orderBy(asc(followUpQuestions.dueAt), asc(followUpQuestions.reviewId))
    .limit(maxListed);
  return rows.map(({ dueAt, customer, reviewer, ...row }) => ({
    ...row,
    customer: customer?.trim() || "Unknown User",
    reviewer: reviewer?.trim() || "Unknown",
    due: buildDueView(dueAt!, now()),
  }));
}

/** Counts the questions that are 36 hours old, or whose reviewer can't answer any more. */
export async function countQuestionsToMove(db: Database, actor: Actor | null): Promise<Count> {
  authorize(actor, "review.oversee");
  const escalatedDue = new Date(now().getTime() + answeredWithin - escalatedAfter);
  const isStuck = or(
    lte(followUpQuestions.dueAt, escalatedDue),
    not(isActiveReviewer(db, followUpQuestions.reviewerId)),
  );
  const waiting = db
    .select({ reviewId: followUpQuestions.reviewId })
    .from(followUpQuestions)
    .innerJoin(serviceReviews, eq(serviceReviews.id, followUpQuestions.reviewId))
    .where(and(isOpenQuestion, isStuck))
    .limit(maxListed + 1);
  const { length } = await waiting;
  return { counted: Math.min(length, maxListed), isMore: length > maxListed };
}

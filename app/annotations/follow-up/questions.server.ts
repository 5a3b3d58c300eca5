import { and, asc, eq, exists, isNotNull, isNull, sql } from "drizzle-orm";
import { hasOpenAccount } from "../../accounts/sealed-accounts.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { formatShortDateTime, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { buildDueView } from "../../reviews/due-dates/due-dates.ts";
import { isActiveReviewer } from "../../reviews/locks.server.ts";
import { isOwnCompletedReview } from "../../reviews/may-read-file.server.ts";
import { getAskableUntil } from "../../reviews/question-window.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import type { FollowUpDraft, FollowUpText } from "./rules.ts";
import { followUpQuestions } from "./tables.server.ts";

/** The customer's own question, as their result shows it. */
export type OwnFollowUp =
  | { state: "askable"; until: string; draft: FollowUpDraft }
  /** A draft that was never sent. */
  | { state: "ended"; until: string; text: string }
  | { state: "asked" | "refunded"; question: FollowUpText; due: string; isLate: boolean }
  | { state: "answered"; question: FollowUpText; answer: FollowUpText };

/** Finds the question of the actor's own completed review; null where none was asked and none can be. */
export async function findOwnFollowUp(
  db: Database,
  actor: { id: string },
  reviewId: string,
): Promise<OwnFollowUp | null> {
  if (!isUuid(reviewId)) return null;
  const [row] = await db
    .select({
      withdrawnAt: serviceReviews.withdrawnAt,
      completedAt: reviewAssignments.completedAt,
      followUp: followUpQuestions,
    })
    .from(serviceReviews)
    .innerJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .leftJoin(followUpQuestions, eq(followUpQuestions.reviewId, serviceReviews.id))
    .where(and(eq(serviceReviews.id, reviewId), isOwnCompletedReview(actor)));
  if (!row) return null;
  const { withdrawnAt, completedAt, followUp } = row;
  const question = followUp && toAskedQuestion(followUp);
  if (!question) {
    if (!completedAt || withdrawnAt) return null;
    const end = getAskableUntil(completedAt);
    const until = formatShortDateTime(end);
    const draft = followUp ? toQuestionDraft(followUp) : { text: "", remark: "", version: 0 };
    if (now() < end) return { state: "askable", until, draft };
    return draft.text.trim() ? { state: "ended", until, text: draft.text } : null;
  }
  const answer = toGivenAnswer(followUp);
  if (answer) return { state: "answered", question, answer };
  const { dueAt } = followUp;
  return {
    state: withdrawnAt ? "refunded" : "asked",
    question,
    due: formatShortDateTime(dueAt!),
    isLate: dueAt! < now(),
  };
}

type Row = typeof followUpQuestions.$inferSelect;

/** Returns the question once it was asked; null for a draft. */
function toAskedQuestion({ question, remarkId, askedAt }: Row): FollowUpText | null {
  return askedAt && { text: question, remark: remarkId, on: formatShortDateTime(askedAt) };
}

/** Returns the answer once it was given; null for a draft. */
function toGivenAnswer({ answer, answerRemarkId, answeredAt }: Row): FollowUpText | null {
  return (
    answeredAt && { text: answer, remark: answerRemarkId, on: formatShortDateTime(answeredAt) }
  );
}

/**
 * Finds a review's question with its answer, for a share or a PDF whose owner chose to show it; null without an answer.
 * Check permission before calling it.
 */
export async function findAnsweredFollowUp(
  db: Database,
  reviewId: string,
): Promise<{ question: FollowUpText; answer: FollowUpText } | null> {
  const [row] = await db
    .select()
    .from(followUpQuestions)
    .where(eq(followUpQuestions.reviewId, reviewId));
  const question = row && toAskedQuestion(row);
  const answer = row && toGivenAnswer(row);
  return question && answer ? { question, answer } : null;
}

export function toQuestionDraft(row: typeof followUpQuestions.$inferSelect): FollowUpDraft {
  return { text: row.question, remark: row.remarkId ?? "", version: row.version };
}

/** True in SQL for a question that the actor answers or has answered. Needs the review in the query. */
export function isOwnQuestion(db: Database, actor: { id: string }) {
  return and(
    eq(followUpQuestions.reviewerId, actor.id),
    isNotNull(followUpQuestions.askedAt),
    isActiveReviewer(db, actor.id),
    hasOpenAccount(serviceReviews.userId),
  );
}

/** True in SQL for a question that waits for its answer. Needs the review in the query. */
export const isOpenQuestion = and(
  isNotNull(followUpQuestions.askedAt),
  isNull(followUpQuestions.answeredAt),
  isNull(serviceReviews.withdrawnAt),
  hasOpenAccount(serviceReviews.userId),
)!;

export function toAnswerDraft(row: typeof followUpQuestions.$inferSelect): FollowUpDraft {
  return { text: row.answer, remark: row.answerRemarkId ?? "", version: row.answerVersion };
}

/** Lists the questions that a reviewer has to answer, the first due one first, up to fifty. */
export async function listOwnQuestions(db: Database, actor: { id: string }) {
  const rows = await db
    .select({
      reviewId: followUpQuestions.reviewId,
      serviceType: serviceReviews.serviceType,
      customer: profiles.fullName,
      question: followUpQuestions.question,
      dueAt: followUpQuestions.dueAt,
      answer: followUpQuestions.answer,
    })
    .from(followUpQuestions)
    .innerJoin(serviceReviews, eq(serviceReviews.id, followUpQuestions.reviewId))
    .leftJoin(profiles, eq(profiles.id, serviceReviews.userId))
    .where(and(isOwnQuestion(db, actor), isOpenQuestion))
    .orderBy(asc(followUpQuestions.dueAt), asc(followUpQuestions.reviewId))
    .limit(50);
  return rows.map(({ dueAt, answer, customer, ...row }) => ({
    ...row,
    customer: customer?.trim() || "Unknown User",
    due: buildDueView(dueAt!, now()),
    hasDraft: answer !== "",
  }));
}

/** Finds a question that the reviewer answers, or has answered, with its review; null for any other. */
export async function findQuestionToAnswer(db: Database, actor: { id: string }, reviewId: string) {
  if (!isUuid(reviewId)) return null;
  const [row] = await db
    .select({
      review: serviceReviews,
      customer: profiles.fullName,
      followUp: followUpQuestions,
    })
    .from(followUpQuestions)
    .innerJoin(serviceReviews, eq(serviceReviews.id, followUpQuestions.reviewId))
    .leftJoin(profiles, eq(profiles.id, serviceReviews.userId))
    .where(and(eq(followUpQuestions.reviewId, reviewId), isOwnQuestion(db, actor)));
  if (!row) return null;
  const { review, customer, followUp } = row;
  const answer = toGivenAnswer(followUp);
  return {
    review,
    customer: customer?.trim() || "Unknown User",
    question: toAskedQuestion(followUp)!,
    answer,
    isRefunded: review.withdrawnAt !== null,
    due: buildDueView(followUp.dueAt!, now()),
    draft: toAnswerDraft(followUp),
  };
}

/**
 * True in SQL for a review with an open question that this reader answers, even if another reviewer wrote the review.
 */
export function hasOpenQuestionFor(db: Database, reader: { id: string }) {
  return exists(
    db
      .select({ one: sql`1` })
      .from(followUpQuestions)
      .where(
        and(
          eq(followUpQuestions.reviewId, serviceReviews.id),
          isOwnQuestion(db, reader),
          isOpenQuestion,
        ),
      ),
  );
}

import { asc, eq, inArray } from "drizzle-orm";
import { profiles, staffRoles } from "../../app/accounts/tables.server.ts";
import {
  columns as jobColumns,
  toWrittenFields,
} from "../../app/jobs/manage/job-commands.server.ts";
import { jobChecks, jobs } from "../../app/jobs/tables.server.ts";
import { refunds } from "../../app/payments/refunds/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { type AuditEvent, recordAuditEvents } from "../../app/platform/audit.server.ts";
import { day, hour, minute } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { getFieldLabel } from "../../app/reviews/fields-and-languages.ts";
import {
  handedBackDrafts,
  reviewAssignments,
  reviewerProfiles,
  reviewFiles,
  reviewImages,
  reviewQuestions,
  serviceReviews,
} from "../../app/reviews/tables.server.ts";
import { noSubscription, subscriptionFields } from "../../app/subscriptions/subscription.server.ts";
import type { DemoIds } from "./reviews.server.ts";

type PastEvent = AuditEvent & { at: Date };
type Person = { id: string; fullName: string | null };
type People = Map<string, Person>;

/**
 * Loads the demo's history. It is derived from the loaded rows, as the commands would have recorded it, so that it
 * matches the screens.
 *
 * @param events events of messages and emails, whose rows have no times
 */
export async function loadDemoHistory(
  tx: Database,
  ids: DemoIds,
  events: AuditEvent[],
  moment: Date,
): Promise<void> {
  const named = await tx.select({ id: profiles.id, fullName: profiles.fullName }).from(profiles);
  const people = new Map(named.map((person) => [person.id, person]));
  const personOf = (key: string) => people.get(ids.get(key)!)!;
  const gita = personOf("gita");
  await recordAuditEvents(tx, [
    ...(await listStaffEvents(tx, people, gita)),
    ...(await listSubscriptionEvents(tx, moment)),
    ...(await listJobEvents(tx, people)),
    ...(await listCheckEvents(tx, people)),
    ...(await listReviewEvents(tx, people, gita, [personOf("meera"), personOf("kabir")])),
    ...(await listRefundEvents(tx, gita)),
    ...events,
  ]);
}

/** The operator created the god admin, who granted the other roles. */
async function listStaffEvents(tx: Database, people: People, gita: Person): Promise<PastEvent[]> {
  const roles = await tx.select().from(staffRoles).orderBy(asc(staffRoles.createdAt));
  const introductions = await tx.select().from(reviewerProfiles);
  const granted = roles.flatMap(({ userId, role, createdAt: at }): PastEvent[] => {
    const actor = userId === gita.id ? "operator" : gita;
    const subject = { type: "user", id: userId };
    const grant = { actor, at, event: "role.grant", subject, after: { role } } as const;
    return actor === "operator" ? [{ actor, at, event: "user.create", subject }, grant] : [grant];
  });
  const introduced = introductions.map(
    ({
      userId,
      firstName,
      field,
      about,
      knownFields,
      languages,
      publicAt,
      recordPublicAt,
      updatedAt,
    }) => ({
      actor: people.get(userId)!,
      at: new Date(updatedAt.getTime() + hour),
      event: "reviewer.introduce",
      subject: { type: "user", id: userId },
      after: {
        firstName,
        field,
        about,
        isPublic: publicAt !== null,
        isRecordPublic: recordPublicAt !== null,
        knownFields: knownFields.map(getFieldLabel).join(", "),
        languages: languages.join(", "),
      },
    }),
  );
  return [...granted, ...introduced];
}

async function listSubscriptionEvents(tx: Database, moment: Date): Promise<PastEvent[]> {
  const rows = await tx
    .select({ id: profiles.id, ...subscriptionFields })
    .from(profiles)
    .where(eq(profiles.isSubscribed, true));
  return rows.map(({ id, ...after }) => ({
    actor: "operator" as const,
    at: new Date(moment.getTime() - 5 * day),
    event: "subscription.grant",
    subject: { type: "user", id },
    before: noSubscription,
    after,
  }));
}

/** Archived jobs were on the board for a month. */
async function listJobEvents(tx: Database, people: People): Promise<PastEvent[]> {
  const rows = await tx.select(jobColumns).from(jobs).orderBy(asc(jobs.postedAt));
  return rows.flatMap((job): PastEvent[] => {
    const { id, createdBy, postedAt, isArchived } = job;
    const actor = people.get(createdBy!)!;
    const subject = { type: "job", id };
    const posted = {
      actor,
      at: postedAt,
      event: "job.create",
      subject,
      after: toWrittenFields(job),
    };
    if (!isArchived) return [posted];
    const at = new Date(postedAt.getTime() + 30 * day);
    const [before, after] = [{ isArchived: false }, { isArchived: true }];
    return [posted, { actor, at, event: "job.archive", subject, before, after }];
  });
}

/** The first check is part of the posting, and contacts are not staff. */
async function listCheckEvents(tx: Database, people: People): Promise<PastEvent[]> {
  const rows = await tx.select().from(jobChecks).orderBy(jobChecks.jobId, asc(jobChecks.at));
  return rows.flatMap(({ at, jobId, actorId, result }, index): PastEvent[] => {
    const earlier = rows[index - 1];
    if (actorId === null || earlier?.jobId !== jobId) return [];
    return [
      {
        actor: people.get(actorId)!,
        at,
        event: "job.check",
        subject: { type: "job", id: jobId },
        before: { checkedAt: earlier.at },
        after: { result },
      },
    ];
  });
}

async function listReviewEvents(
  tx: Database,
  people: People,
  gita: Person,
  reviewers: Person[],
): Promise<PastEvent[]> {
  const rows = await tx
    .select({ review: serviceReviews, assignment: reviewAssignments })
    .from(serviceReviews)
    .innerJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .orderBy(asc(serviceReviews.createdAt));
  const oldestOpen = rows.find(({ assignment }) => !assignment.completedAt);
  const events = rows.flatMap((row) => [
    ...(row === oldestOpen ? reassignmentEvents(row, gita, reviewers) : []),
    ...(row === oldestOpen ? [] : assignmentEvents(row, people, gita)),
    ...extensionEvents(row, gita),
  ]);
  return [
    ...events,
    ...(await listHandBackEvents(tx, people, gita)),
    ...(await listUploadEvents(tx, rows, people)),
    ...(await listEditEvents(tx, rows, gita)),
  ];
}

type AssignedReview = {
  review: typeof serviceReviews.$inferSelect;
  assignment: typeof reviewAssignments.$inferSelect;
};

function assignmentEvents(
  { review, assignment }: AssignedReview,
  people: People,
  gita: Person,
): PastEvent[] {
  const { reviewerId, assignedAt, completedAt } = assignment;
  const assigned = assignEvent(review.id, gita, assignedAt, reviewerId);
  if (!completedAt) return [assigned];
  const submitted = {
    actor: people.get(reviewerId)!,
    at: completedAt,
    event: "review.submit",
    subject: { type: "review", id: review.id },
    before: { status: "under_review" },
    after: { status: "completed" },
  };
  return [assigned, submitted];
}

/** The review's first reviewer returned it. */
function reassignmentEvents(
  { review, assignment }: AssignedReview,
  gita: Person,
  reviewers: Person[],
): PastEvent[] {
  const { reviewerId, assignedAt } = assignment;
  const firstReviewer = reviewers.find(({ id }) => id !== reviewerId)!;
  const between = new Date((review.createdAt.getTime() + assignedAt.getTime()) / 2);
  const reassigned = {
    actor: gita,
    at: assignedAt,
    event: "review.reassign",
    subject: { type: "review", id: review.id },
    before: { reviewerId: firstReviewer.id },
    after: { reviewerId },
  };
  return [assignEvent(review.id, gita, between, firstReviewer.id), reassigned];
}

/** The former reviewer got each of these reviews an hour before. */
async function listHandBackEvents(
  tx: Database,
  people: People,
  gita: Person,
): Promise<PastEvent[]> {
  const drafts = await tx.select().from(handedBackDrafts);
  return drafts.flatMap(({ reviewId, formerReviewerId, reason, handedBackAt }) => {
    const reviewerId = formerReviewerId!;
    const assignedAt = new Date(handedBackAt.getTime() - hour);
    const handedBack = {
      actor: people.get(reviewerId)!,
      at: handedBackAt,
      event: "review.hand-back",
      subject: { type: "review", id: reviewId },
      before: { status: "under_review", reviewerId },
      after: { status: "pending", reason },
    };
    return [assignEvent(reviewId, gita, assignedAt, reviewerId), handedBack];
  });
}

function assignEvent(reviewId: string, actor: Person, at: Date, reviewerId: string): PastEvent {
  return {
    actor,
    at,
    event: "review.assign",
    subject: { type: "review", id: reviewId },
    before: { status: "pending" },
    after: { status: "under_review", reviewerId },
  };
}

function extensionEvents({ review, assignment }: AssignedReview, gita: Person): PastEvent[] {
  const { id, dueAt, extendedTo } = review;
  if (!dueAt || !extendedTo) return [];
  return [
    {
      actor: gita,
      at: new Date(assignment.assignedAt.getTime() + 6 * hour),
      event: "review.extend",
      subject: { type: "review", id },
      before: { dueAt: dueAt.toISOString() },
      after: {
        dueAt: extendedTo.toISOString(),
        reason: "The reviewer is away today.",
      },
    },
  ];
}

async function listUploadEvents(
  tx: Database,
  rows: AssignedReview[],
  people: People,
): Promise<PastEvent[]> {
  const reviewerOf = new Map(
    rows.map(({ review, assignment }) => [review.id, people.get(assignment.reviewerId)!]),
  );
  const images = await tx.select().from(reviewImages);
  const files = await tx.select().from(reviewFiles);
  const uploads = [
    ...images.map(({ reviewId, imageUrl, createdAt }) => ({ reviewId, createdAt, file: imageUrl })),
    ...files.map(({ reviewId, fileUrl, createdAt }) => ({ reviewId, createdAt, file: fileUrl })),
  ];
  return uploads.map(({ reviewId, createdAt: at, file }) => ({
    actor: reviewerOf.get(reviewId)!,
    at,
    event: "review.upload",
    subject: { type: "review", id: reviewId },
    after: { file },
  }));
}

/** An admin removed the greeting from the two latest feedbacks, and added a sentence to an answer. */
async function listEditEvents(
  tx: Database,
  rows: AssignedReview[],
  gita: Person,
): Promise<PastEvent[]> {
  const completed = rows.filter(({ assignment }) => assignment.completedAt).slice(-2);
  const edited = completed.map(({ review: { id, priority, reviewerFeedback }, assignment }) => ({
    actor: gita,
    at: new Date(assignment.completedAt!.getTime() + 40 * minute),
    event: "review.edit",
    subject: { type: "review", id },
    before: { priority, feedback: `Hi! ${reviewerFeedback}` },
    after: { priority, feedback: reviewerFeedback },
  }));
  const answers = await tx
    .select()
    .from(reviewQuestions)
    .where(
      inArray(
        reviewQuestions.reviewId,
        rows.map(({ review }) => review.id),
      ),
    )
    .orderBy(asc(reviewQuestions.answeredAt), asc(reviewQuestions.position));
  const answered = answers.find(({ answer }) => answer !== null);
  if (!answered) return edited;
  const { reviewId, answer, answeredAt } = answered;
  const [before, after] = [{ answer: answer!.split(/(?<=\.) /)[0] }, { answer }];
  const at = new Date(answeredAt!.getTime() + hour);
  const subject = { type: "review", id: reviewId };
  return [...edited, { actor: gita, at, event: "review.edit-answer", subject, before, after }];
}

/** Lists an admin's decisions. Refunds that the terms grant automatically are not in the history. */
async function listRefundEvents(tx: Database, gita: Person): Promise<PastEvent[]> {
  const rows = await tx
    .select({ refund: refunds, capturedPaise: orders.capturedPaise })
    .from(refunds)
    .innerJoin(orders, eq(orders.orderId, refunds.orderId))
    .orderBy(asc(refunds.createdAt));
  return rows.flatMap(({ refund, capturedPaise }): PastEvent[] => {
    const { orderId, state, grounds, reason, answer, createdAt, decidedAt } = refund;
    const event = { actor: gita, subject: { type: "order", id: orderId } };
    if (grounds === "decided")
      return [{ ...event, at: createdAt, event: "order.refund", after: { capturedPaise, reason } }];
    if (grounds !== "delivered" || !decidedAt) return [];
    const decision = state === "declined" ? "order.decline-refund" : "order.approve-refund";
    return [{ ...event, at: decidedAt, event: decision, after: { capturedPaise, answer } }];
  });
}

import { randomUUID } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { auditEvents } from "../../../app/platform/tables.server.ts";
import { toUploadLink } from "../../../app/reviews/addresses.ts";
import { getImageVersion } from "../../../app/review-staff/edit/edit-review.server.ts";
import type { ServiceType } from "../../../app/reviews/rules.ts";
import type { SentRemark } from "../../../app/annotations/remarks/remark-content.server.ts";
import {
  reviewAssignments,
  reviewFiles,
  reviewImages,
  serviceReviews,
} from "../../../app/reviews/tables.server.ts";
import { review } from "./reviews.ts";

type Person = { id: string };
type Facts = { type?: ServiceType; priority?: number; createdAt?: Date; dueAt?: Date | null };

/** Creates a paid review without a reviewer, with the materials of its type. */
export async function pendingReview(
  db: Database,
  buyer: Person,
  { type = "resume_review", priority = 0, createdAt = now(), dueAt = null }: Facts = {},
): Promise<string> {
  const needsPortfolio = type !== "resume_review";
  const { id } = await review(db, buyer, {
    serviceType: type,
    priority,
    createdAt,
    dueAt,
    resumeFilePath: type === "portfolio_review" ? null : `${buyer.id}/1737000000000.pdf`,
    portfolioUrl: needsPortfolio ? "https://portfolio.example/work" : null,
    portfolioFilePath: needsPortfolio ? `${buyer.id}/1737000000001.pdf` : null,
  });
  return id;
}

export async function pendingReviews(
  db: Database,
  buyer: Person,
  count: number,
): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => pendingReview(db, buyer)));
}

/** Creates an assigned review. With the status "pending" it was never opened. */
export async function assignedReview(
  db: Database,
  buyer: Person,
  reviewer: Person,
  {
    status = "under_review",
    assignedAt = now(),
    ...facts
  }: Facts & { status?: "pending" | "under_review"; assignedAt?: Date } = {},
): Promise<string> {
  const id = await pendingReview(db, buyer, facts);
  await db.insert(reviewAssignments).values({ reviewId: id, reviewerId: reviewer.id, assignedAt });
  await db.update(serviceReviews).set({ status }).where(eq(serviceReviews.id, id));
  return id;
}

/** Creates a submitted review. */
export async function completedReview(
  db: Database,
  buyer: Person,
  reviewer: Person,
  {
    feedback = "Lead with the case study.",
    ...facts
  }: Facts & { feedback?: string; assignedAt?: Date } = {},
): Promise<string> {
  const id = await assignedReview(db, buyer, reviewer, facts);
  await db
    .update(serviceReviews)
    .set({ status: "completed", reviewerFeedback: feedback })
    .where(eq(serviceReviews.id, id));
  await db
    .update(reviewAssignments)
    .set({ completedAt: now() })
    .where(eq(reviewAssignments.reviewId, id));
  return id;
}

/** Adds a screenshot and a file to a review, without stored bytes. */
export async function attachFiles(
  db: Database,
  reviewId: string,
): Promise<{ imageId: string; imageVersion: string; fileId: string }> {
  const [imageId, fileId] = [randomUUID(), randomUUID()];
  const createdAt = now();
  const imageUrl = `review-images/reviews/${reviewId}/${imageId}-cover.png`;
  const annotation = "The cover";
  await db.insert(reviewImages).values({ id: imageId, reviewId, imageUrl, annotation, createdAt });
  await db.insert(reviewFiles).values({
    id: fileId,
    reviewId,
    fileUrl: `review-files/reviews/${reviewId}/files/${fileId}-notes.pdf`,
    fileName: "notes.pdf",
    fileType: "application/pdf",
    createdAt,
  });
  const version = getImageVersion({ href: toUploadLink(imageUrl), annotation });
  return { imageId, imageVersion: version, fileId };
}

/** Returns the rows of a review and its assignment. */
export async function reviewRow(db: Database, id: string) {
  const [row] = await db
    .select()
    .from(serviceReviews)
    .leftJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .where(eq(serviceReviews.id, id));
  return { review: row!.service_reviews, assignment: row!.review_assignments };
}

/** Lists the names of a review's audit events in order. */
export async function eventsOn(db: Database, reviewId: string): Promise<string[]> {
  const rows = await db
    .select({ event: auditEvents.event })
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectType, "review"), eq(auditEvents.subjectId, reviewId)))
    .orderBy(asc(auditEvents.at), asc(auditEvents.id));
  return rows.map(({ event }) => event);
}

/** A remark on the first page of a resume, as a form sends it. */
export const sentRemark: SentRemark = {
  id: randomUUID(),
  target: { kind: "page", part: "resume", page: 1 },
  area: { x: 0.1, y: 0.2, width: 0.5, height: 0.05 },
  severity: "must",
  criterion: "impact",
  text: "Say what came of it.",
  quote: "Responsible for checkout",
  suggestion: "Cut checkout from five steps to two",
  base: null,
};

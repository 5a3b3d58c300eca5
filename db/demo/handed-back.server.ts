import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { day, hour } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import type { DraftContent } from "../../app/review-staff/hand-back/draft-content.server.ts";
import {
  handedBackDrafts,
  reviewAssignments,
  serviceReviews,
} from "../../app/reviews/tables.server.ts";
import { demoResults } from "./remarks.ts";
import { type DemoIds, getRemarkArea, getRemarkTarget } from "./reviews.server.ts";

const noPlace = { part: null, page: null, imageId: null };

/** Adds the draft that Kabir handed back to the resume review with a later due date. Meera has it now. */
export async function loadDemoHandBack(tx: Database, ids: DemoIds, moment: Date): Promise<void> {
  const [row] = await tx
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .where(
      and(
        eq(serviceReviews.serviceType, "resume_review"),
        isNotNull(serviceReviews.extendedTo),
        eq(reviewAssignments.reviewerId, ids.get("meera")!),
        isNull(reviewAssignments.completedAt),
      ),
    );
  const handedBackAt = new Date(moment.getTime() - 2.1 * day);
  const { feedback, remarks, scores } = demoResults.resume_review;
  const content: DraftContent = {
    feedback: feedback.split("\n\n")[0]!,
    remarks: remarks
      .slice(0, 4)
      .map(({ on, at, severity, criterion, text, quote, suggestion }) => ({
        ...noPlace,
        ...getRemarkTarget(on, null),
        ...getRemarkArea(on, at),
        id: randomUUID(),
        severity,
        criterion: criterion ?? null,
        text,
        quote: quote ?? null,
        suggestion: suggestion ?? null,
        rank: null,
        createdAt: new Date(handedBackAt.getTime() - hour),
      })),
    scores: Object.entries(scores)
      .slice(0, 2)
      .map(([criterion, score]) => ({ criterion, score })),
    answers: [],
    outcomes: [],
    images: [],
    files: [],
  };
  await tx.insert(handedBackDrafts).values({
    reviewId: row!.id,
    formerReviewerId: ids.get("kabir")!,
    reason: "ill",
    note: "I'm in bed with a fever. Sorry, it was nearly half done.",
    handedBackAt,
    content,
    attachments: [],
  });
}

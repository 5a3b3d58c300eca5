import { randomUUID } from "node:crypto";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import type { DraftContent } from "../../../app/review-staff/hand-back/draft-content.server.ts";
import { handedBackDrafts } from "../../../app/reviews/tables.server.ts";

const noPlace = { part: null, page: null, x: null, y: null, width: null, height: null };

/** A remark of a draft, on all of the review. */
export const draftRemark: DraftContent["remarks"][number] = {
  ...noPlace,
  id: randomUUID(),
  imageId: null,
  severity: "must",
  criterion: null,
  text: "Say what came of it.",
  quote: null,
  suggestion: null,
  rank: null,
  createdAt: now(),
};

/** Inserts the draft of a reviewer who handed a review back. @returns its id */
export async function handedBackDraft(
  db: Database,
  reviewId: string,
  former: { id: string },
  {
    content,
    ...row
  }: Partial<Omit<typeof handedBackDrafts.$inferInsert, "content">> & {
    content?: Partial<DraftContent>;
  } = {},
): Promise<string> {
  const [draft] = await db
    .insert(handedBackDrafts)
    .values({
      reviewId,
      formerReviewerId: former.id,
      reason: "ill",
      handedBackAt: now(),
      attachments: [],
      content: {
        feedback: "Start with the clinic project.",
        remarks: [draftRemark],
        scores: [{ criterion: "story", score: 3 }],
        answers: [],
        outcomes: [],
        images: [],
        files: [],
        ...content,
      },
      ...row,
    })
    .returning({ id: handedBackDrafts.id });
  return draft!.id;
}

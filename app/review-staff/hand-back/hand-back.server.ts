import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Sender } from "../../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { cleanText } from "../../platform/text/text.ts";
import { type HandBackReason, handBackReasons } from "../../reviews/hand-back-reasons.ts";
import { lockOwnOpenReview } from "../../reviews/locks.server.ts";
import { handedBackDrafts } from "../../reviews/tables.server.ts";
import { deleteAssignments } from "../assign/assign-reviews.server.ts";
import { draftContent } from "./draft-content.server.ts";
import { notifyAdminsOfHandBackLater } from "./emails.server.tsx";
import { extractDraft } from "./move-draft.server.ts";
import { handBackMessages as messages, maxNoteLength } from "./rules.ts";

/**
 * Returns a reviewer's own open review to the pending queue with a reason, in one transaction. What they wrote becomes a
 * draft for the next reviewer, or after "knows_author" for admins alone. The due time stays. Admins get an email,
 * customers none.
 *
 * @param form.note a sentence for the admins, as typed; "" for none
 * @throws {Invalid} for an unknown reason, or a note that is too long.
 * @throws {NotFound} for a review that is not theirs, also once it was handed back.
 * @throws {Conflict} for a completed review.
 */
export async function handBackReview(
  db: Database,
  actor: Actor | null,
  form: { reviewId: string; reason: string; note: string },
  sender: Sender,
): Promise<void> {
  authorize(actor, "review.hand-back");
  const reason = readReason(form.reason);
  const note = cleanText(form.note).trim();
  if (note.length > maxNoteLength) throw new Invalid({ note: messages.noteTooLong });
  await db.transaction(async (tx) => {
    const { review, ...own } = await lockOwnOpenReview(tx, actor.id, form.reviewId);
    // Autosave doesn't take the review's lock. The deleted row has the text that was saved last.
    const [assignment] = await deleteAssignments(tx, [own]);
    const content = draftContent.parse({
      feedback: assignment!.draftFeedback ?? "",
      ...(await extractDraft(tx, review.id, actor.id)),
    });
    const [draft] = await tx
      .insert(handedBackDrafts)
      .values({
        reviewId: review.id,
        formerReviewerId: actor.id,
        reason,
        note: note || null,
        handedBackAt: now(),
        content,
        attachments: [
          ...content.images.map(({ imageUrl }) => imageUrl),
          ...content.files.map(({ fileUrl }) => fileUrl),
        ],
      })
      .returning({ id: handedBackDrafts.id });
    if (reason === "knows_author") await hideEarlierDrafts(tx, review.id, actor.id);
    await recordAuditEvents(tx, [
      {
        actor,
        event: "review.hand-back",
        subject: { type: "review", id: review.id },
        before: { status: review.status, reviewerId: actor.id },
        after: { status: "pending", reason },
      },
    ]);
    await notifyAdminsOfHandBackLater(tx, sender, { draftId: draft!.id, reason, review });
  });
}

/** A reviewer may have handed the same review back before for another reason. The history still has that reason. */
async function hideEarlierDrafts(tx: Database, reviewId: string, reviewerId: string) {
  await tx
    .update(handedBackDrafts)
    .set({ reason: "knows_author" })
    .where(
      and(
        eq(handedBackDrafts.reviewId, reviewId),
        eq(handedBackDrafts.formerReviewerId, reviewerId),
      ),
    );
}

function readReason(text: string): HandBackReason {
  if (!Object.hasOwn(handBackReasons, text)) throw new Invalid({ reason: messages.reasonMissing });
  return text as HandBackReason;
}

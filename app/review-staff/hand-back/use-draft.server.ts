import { and, eq, isNull, ne } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { lockOwnOpenReview } from "../../reviews/locks.server.ts";
import { handedBackDrafts } from "../../reviews/tables.server.ts";
import { type DraftContent, draftContent } from "./draft-content.server.ts";
import { addDraft } from "./move-draft.server.ts";
import { handBackMessages as messages } from "./rules.ts";

/**
 * Adds an earlier reviewer's draft to the reviewer's own, once. Nothing of theirs is overwritten: their scores, answers and
 * outcomes stay, and the earlier summary comes below their own.
 *
 * @returns the draft, and the parts of it that were added
 * @throws {NotFound} for a draft that isn't offered to them.
 * @throws {Conflict} when the review is completed, the draft was used or discarded, or both are too long together.
 */
export async function acceptDraft(
  db: Database,
  actor: Actor | null,
  { draftId }: { draftId: string },
): Promise<{ reviewId: string; draft: DraftContent; added: DraftContent }> {
  authorize(actor, "review.write");
  return db.transaction(async (tx) => {
    const { own, content } = await settleDraft(tx, actor, draftId, { takenAt: now() });
    const draft = draftContent.parse(content);
    return { reviewId: own.review.id, draft, added: await addDraft(tx, own, draft) };
  });
}

/**
 * Stops offering an earlier reviewer's draft. Admins can still read it.
 *
 * @returns the id of its review
 * @throws {NotFound} for a draft that isn't offered to them.
 * @throws {Conflict} when the review is completed, or the draft was used or discarded.
 */
export async function declineDraft(
  db: Database,
  actor: Actor | null,
  { draftId }: { draftId: string },
): Promise<string> {
  authorize(actor, "review.write");
  return db.transaction(async (tx) => {
    const { own } = await settleDraft(tx, actor, draftId, { discardedAt: now() });
    return own.review.id;
  });
}

async function settleDraft(
  tx: Database,
  actor: Actor,
  draftId: string,
  change: { takenAt: Date } | { discardedAt: Date },
) {
  const [offered] = isUuid(draftId)
    ? await tx
        .select({ reviewId: handedBackDrafts.reviewId })
        .from(handedBackDrafts)
        .where(and(eq(handedBackDrafts.id, draftId), ne(handedBackDrafts.reason, "knows_author")))
    : [];
  if (!offered) throw new NotFound();
  const own = await lockOwnOpenReview(tx, actor.id, offered.reviewId);
  const [draft] = await tx
    .update(handedBackDrafts)
    .set({ ...change, settledBy: actor.id })
    .where(
      and(
        eq(handedBackDrafts.id, draftId),
        isNull(handedBackDrafts.takenAt),
        isNull(handedBackDrafts.discardedAt),
      ),
    )
    .returning({ content: handedBackDrafts.content });
  if (!draft) throw new Conflict(messages.draftSettled, { code: "nothing-to-do" });
  return { own, content: draft.content };
}

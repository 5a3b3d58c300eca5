import { and, eq, ne } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { lockOwnOpenReview } from "../../reviews/locks.server.ts";
import { handedBackDrafts } from "../../reviews/tables.server.ts";
import { type DraftContent, draftContent } from "./draft-content.server.ts";
import { putInDraft } from "./move-draft.server.ts";
import { handBackMessages as messages } from "./rules.ts";

type Chosen = { reviewId: string; draftId: string };

/**
 * Adds an earlier reviewer's draft to the reviewer's own, once. Nothing of theirs is overwritten: their scores, answers and
 * outcomes stay, and the earlier summary comes below their own.
 *
 * @returns the draft, and the parts of it that were added
 * @throws {NotFound} for a review that is not theirs, and a draft that isn't offered.
 * @throws {Conflict} when the review is completed, the draft was used or discarded, or both are too long together.
 */
export async function takeDraft(
  db: Database,
  actor: Actor | null,
  chosen: Chosen,
): Promise<{ draft: DraftContent; added: DraftContent }> {
  authorize(actor, "review.write");
  return db.transaction(async (tx) => {
    const own = await lockOwnOpenReview(tx, actor.id, chosen.reviewId);
    const draft = draftContent.parse(await settle(tx, chosen, actor, { takenAt: now() }));
    return { draft, added: await putInDraft(tx, own, draft) };
  });
}

/**
 * Stops offering an earlier reviewer's draft. Admins can still read it.
 *
 * @throws {NotFound} for a review that is not theirs, and a draft that isn't offered.
 * @throws {Conflict} when the review is completed, or the draft was used or discarded.
 */
export async function discardDraft(
  db: Database,
  actor: Actor | null,
  chosen: Chosen,
): Promise<void> {
  authorize(actor, "review.write");
  await db.transaction(async (tx) => {
    await lockOwnOpenReview(tx, actor.id, chosen.reviewId);
    await settle(tx, chosen, actor, { discardedAt: now() });
  });
}

/** Every change of a review's drafts locks the review first. @returns the draft's content */
async function settle(
  tx: Database,
  { reviewId, draftId }: Chosen,
  actor: Actor,
  change: { takenAt: Date } | { discardedAt: Date },
): Promise<unknown> {
  if (!isUuid(draftId)) throw new NotFound();
  const [draft] = await tx
    .select()
    .from(handedBackDrafts)
    .where(
      and(
        eq(handedBackDrafts.id, draftId),
        eq(handedBackDrafts.reviewId, reviewId),
        ne(handedBackDrafts.reason, "knows_author"),
      ),
    );
  if (!draft) throw new NotFound();
  if (draft.takenAt || draft.discardedAt)
    throw new Conflict(messages.draftSettled, { code: "nothing-to-do" });
  await tx
    .update(handedBackDrafts)
    .set({ ...change, settledBy: actor.id })
    .where(eq(handedBackDrafts.id, draftId));
  return draft.content;
}

import { and, eq, exists, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { cleanText } from "../../platform/text/text.ts";
import { lockEditableReview } from "../../reviews/locks.server.ts";
import type { serviceReviews } from "../../reviews/tables.server.ts";
import { isActionable } from "../marked.ts";
import { hasTarget, toTarget } from "../remarks/remark-content.server.ts";
import { type Area, normalizeArea, type Target } from "../rules.ts";
import { remarkOutcomes, reviewRemarks } from "../tables.server.ts";
import {
  blankOutcome,
  isOutcomeComplete,
  maxNoteLength,
  outcomeMessages as messages,
  type Outcome,
  outcomes,
  type SavedOutcome,
} from "./outcomes.ts";

type Review = typeof serviceReviews.$inferSelect;

/** An outcome as it was sent. */
type SentOutcome = {
  reviewId: string;
  remarkId: string;
  /** "" for none yet. */
  outcome: string;
  note: string;
  /** Null without a place. */
  target: Target | null;
  area: Area | null;
  /** The version that the change was made from. */
  base: number;
};

/**
 * Saves the outcome of an earlier remark. The reviewer can write while the second look is open, a god admin once it is
 * completed. Repeated calls save it once.
 *
 * @returns the saved outcome
 * @throws {Invalid} for an unknown outcome, a note that is too long, or a page that the review doesn't have.
 * @throws {NotFound} when the review is not theirs or no second look, or the remark is neither in the earlier review nor
 * left open by it.
 * @throws {Conflict} when it was changed meanwhile, or the review is no longer editable.
 */
export async function saveOutcome(
  db: Database,
  actor: Actor | null,
  { reviewId, remarkId, base, ...fields }: SentOutcome,
): Promise<SavedOutcome> {
  authorize(actor, "review.remark");
  const outcome = readOutcome(fields.outcome);
  const note = cleanText(fields.note).trim();
  if (note.length > maxNoteLength) throw new Invalid({ note: messages.noteTooLong });
  return db.transaction(async (tx) => {
    const { review, isEdit } = await lockEditableReview(tx, actor, reviewId);
    await requireEarlierRemark(tx, review, remarkId);
    const place = await readPlace(tx, review, fields);
    const isRow = and(eq(remarkOutcomes.reviewId, reviewId), eq(remarkOutcomes.remarkId, remarkId));
    const [row] = await tx.select().from(remarkOutcomes).where(isRow);
    const before = row ? toOutcome(row) : blankOutcome;
    const content = { outcome, note: note || null, ...place };
    if (row && hasSameOutcome(row, content)) return before;
    if (before.version !== base)
      throw new Conflict(messages.changed, { code: "changed", current: before });
    const saved = { ...content, version: before.version + 1, updatedAt: now() };
    const [after] = await tx
      .insert(remarkOutcomes)
      .values({ reviewId, remarkId, ...saved })
      .onConflictDoUpdate({
        target: [remarkOutcomes.reviewId, remarkOutcomes.remarkId],
        set: saved,
      })
      .returning();
    if (isEdit)
      await recordAuditEvents(tx, [
        {
          actor,
          event: "review.edit-outcome",
          subject: { type: "review", id: reviewId },
          before: { outcome: before.outcome, note: before.note },
          after: { outcome, note },
        },
      ]);
    return toOutcome(after!);
  });
}

function readOutcome(text: string): Outcome | null {
  if (text === "") return null;
  if (!Object.hasOwn(outcomes, text)) throw new Invalid({ outcome: messages.unknown });
  return text as Outcome;
}

async function requireEarlierRemark(tx: Database, review: Review, remarkId: string) {
  const isEarlier =
    review.secondLookOf !== null &&
    isUuid(remarkId) &&
    (await tx.$count(
      reviewRemarks,
      and(eq(reviewRemarks.id, remarkId), isEarlierRemark(tx, review.secondLookOf)),
    )) > 0;
  if (!isEarlier) throw new NotFound("There is no such remark.");
}

/** True in SQL for a remark of the earlier review, and for one that it left open itself. */
export function isEarlierRemark(db: Database, earlierId: string): SQL | undefined {
  const leftOpen = db
    .select({ one: sql`1` })
    .from(remarkOutcomes)
    .where(and(eq(remarkOutcomes.remarkId, reviewRemarks.id), isLeftOpenIn(earlierId)));
  return or(eq(reviewRemarks.reviewId, earlierId), exists(leftOpen));
}

/** True in SQL for the outcome of a remark that the second look of this id found partly solved or open. */
export function isLeftOpenIn(lookId: string): SQL | undefined {
  return and(
    eq(remarkOutcomes.reviewId, lookId),
    inArray(remarkOutcomes.outcome, ["partly", "open"]),
  );
}

const nowhere = { part: null, page: null, x: null, y: null, width: null, height: null };

async function readPlace(
  tx: Database,
  review: Review,
  { target, area }: Pick<SentOutcome, "target" | "area">,
) {
  if (!target) return nowhere;
  const within = area && normalizeArea(area);
  if (target.kind !== "page" || !(await hasTarget(tx, review, target)) || (area && !within))
    throw new Invalid({ target: messages.placeUnknown });
  return { ...nowhere, part: target.part, page: target.page, ...within };
}

type Row = typeof remarkOutcomes.$inferSelect;

function hasSameOutcome(row: Row, content: Partial<Row>): boolean {
  return (Object.keys(content) as (keyof Row)[]).every((key) => row[key] === content[key]);
}

function toOutcome(row: Row): SavedOutcome {
  const { outcome, note, version, x, y, width, height } = row;
  const target = toTarget({ ...row, imageId: null });
  const area =
    x !== null && y !== null && width !== null && height !== null ? { x, y, width, height } : null;
  return {
    outcome,
    note: note ?? "",
    place: target?.kind === "page" ? { target, area } : null,
    version,
  };
}

/** Returns the saved outcomes of a second look by the ids of the earlier remarks. Check permission before calling it. */
export async function getOutcomes(
  db: Database,
  reviewId: string,
): Promise<Record<string, SavedOutcome>> {
  const rows = await db.select().from(remarkOutcomes).where(eq(remarkOutcomes.reviewId, reviewId));
  return Object.fromEntries(rows.map((row) => [row.remarkId, toOutcome(row)]));
}

/**
 * Checks that each earlier remark has its outcome before a second look is submitted. Strengths need none.
 *
 * @throws {Invalid} naming the number that is missing.
 */
export async function requireOutcomes(
  tx: Database,
  { id, secondLookOf }: Pick<Review, "id" | "secondLookOf">,
): Promise<void> {
  if (!secondLookOf) return;
  const [remarks, saved] = await Promise.all([
    tx
      .select({ id: reviewRemarks.id, severity: reviewRemarks.severity })
      .from(reviewRemarks)
      .where(isEarlierRemark(tx, secondLookOf)),
    getOutcomes(tx, id),
  ]);
  const missing = remarks
    .filter(isActionable)
    .filter((remark) => !isOutcomeComplete(saved[remark.id] ?? blankOutcome));
  if (missing.length > 0)
    throw new Invalid({
      "": `${countNoun(missing.length, "earlier remark")} still ${missing.length === 1 ? "needs" : "need"} an outcome, with a sentence unless it is solved.`,
    });
}

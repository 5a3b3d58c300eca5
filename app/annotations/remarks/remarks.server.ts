import { and, asc, count, eq, inArray, isNotNull, ne, or, isNull, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { isOwnCompletedReview } from "../../reviews/may-read-file.server.ts";
import { listHandedImages } from "../../reviews/materials.server.ts";
import { isCriterion } from "../../reviews/rubric.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { lockEditableReview, lockOwnOpenReview } from "../../reviews/locks.server.ts";
import {
  validateRemarkContent,
  type RemarkContent,
  type SentRemark,
  toTarget,
} from "./remark-content.server.ts";
import { sortByReadingOrder } from "../reading-order.ts";
import { limits, type Remark, remarkMessages as messages } from "../rules.ts";
import { reviewRemarks } from "../tables.server.ts";

type Row = typeof reviewRemarks.$inferSelect;

type ListedRemark = Remark & { authorId: string | null; isDone: boolean };

/** Lists the remarks of a review in no particular order. Check permission before calling it. */
export async function listRemarks(db: Database, reviewId: string): Promise<ListedRemark[]> {
  const rows = await db
    .select()
    .from(reviewRemarks)
    .where(eq(reviewRemarks.reviewId, reviewId))
    .orderBy(asc(reviewRemarks.createdAt), asc(reviewRemarks.id));
  return rows.map((row) => ({
    ...toRemark(row),
    authorId: row.authorId,
    isDone: row.doneAt !== null,
  }));
}

/** Removes a remark's author and whether it is ticked off. */
export function withoutAuthor({
  authorId: _authorId,
  isDone: _isDone,
  ...remark
}: ListedRemark): Remark {
  return remark;
}

/**
 * Saves a remark. The reviewer can write while the review is open, a god admin once it is completed. Repeated
 * calls, as after a lost response, save it once.
 *
 * @returns the saved remark
 * @throws {Invalid} for missing or too long texts, and for a place that the review does not have.
 * @throws {Conflict} when the remark was changed or deleted meanwhile, or the review is no longer editable.
 * @throws {NotFound} when the review is not theirs.
 */
export async function saveRemark(
  db: Database,
  actor: Actor | null,
  { reviewId, base, last = null, ...fields }: SentRemark & { reviewId: string },
): Promise<Remark> {
  authorize(actor, "review.remark");
  if (!isUuid(fields.id) || !isValidVersion(last)) throw new Invalid({ "": messages.placeUnknown });
  return db.transaction(async (tx) => {
    const { review, isEdit } = await lockEditableReview(tx, actor, reviewId);
    const [before] = await tx.select().from(reviewRemarks).where(eq(reviewRemarks.id, fields.id));
    if (before && before.reviewId !== reviewId) throw new NotFound();
    const content = await validateRemarkContent(tx, review, fields, before);
    if (before && hasSameContent(before, content)) return toRemark(before);
    if (before && before.version !== base)
      throw new Conflict(messages.changed, { code: "changed", current: toRemark(before) });
    if (!before && base !== null)
      throw new Conflict(messages.deleted, { code: "changed", current: null });

    const saved = before
      ? await tx
          .update(reviewRemarks)
          .set({ ...content, version: before.version + 1, updatedAt: now() })
          .where(eq(reviewRemarks.id, fields.id))
          .returning()
      : await insertRemark(tx, {
          ...content,
          id: fields.id,
          reviewId,
          authorId: actor.id,
          // Another version number keeps a tab from confusing it with the deleted remark.
          version: (last ?? 0) + 1,
        });
    if (isEdit) await recordRemarkEdit(tx, actor, reviewId, before, content);
    return toRemark(saved[0]!);
  });
}

/**
 * Deletes a remark. Saving it again restores it.
 *
 * @throws {Conflict} when it was changed meanwhile, or the review is no longer editable. Deleting it twice is
 * no conflict.
 * @throws {NotFound} when the review is not theirs.
 */
export async function deleteRemark(
  db: Database,
  actor: Actor | null,
  { reviewId, id, base }: { reviewId: string; id: string; base: number },
): Promise<void> {
  authorize(actor, "review.remark");
  await db.transaction(async (tx) => {
    const { isEdit } = await lockEditableReview(tx, actor, reviewId);
    const [before] = isUuid(id)
      ? await tx
          .select()
          .from(reviewRemarks)
          .where(and(eq(reviewRemarks.id, id), eq(reviewRemarks.reviewId, reviewId)))
      : [];
    if (!before) return;
    if (before.version !== base)
      throw new Conflict(messages.changed, { code: "changed", current: toRemark(before) });
    await tx.delete(reviewRemarks).where(eq(reviewRemarks.id, id));
    if (isEdit) await recordRemarkEdit(tx, actor, reviewId, before, null);
  });
}

/**
 * Ranks the remarks that come first for the customer, in this order. All others lose their rank.
 *
 * @throws {Invalid} for more than three.
 * @throws {NotFound} when the review is not theirs, or has no such remark.
 * @throws {Conflict} when it is no longer editable.
 */
export async function rankRemarks(
  db: Database,
  actor: Actor | null,
  { reviewId, ids }: { reviewId: string; ids: string[] },
): Promise<void> {
  authorize(actor, "review.remark");
  const chosen = [...new Set(ids)];
  if (chosen.length > limits.ranks)
    throw new Invalid({ ids: `Please choose at most ${limits.ranks} remarks` });
  await db.transaction(async (tx) => {
    const { isEdit } = await lockEditableReview(tx, actor, reviewId);
    const ofReview = eq(reviewRemarks.reviewId, reviewId);
    const before = await tx
      .update(reviewRemarks)
      .set({ rank: null })
      .where(and(ofReview, isNotNull(reviewRemarks.rank)))
      .returning({ id: reviewRemarks.id });
    for (const [index, id] of chosen.entries()) {
      const ranked = isUuid(id)
        ? await tx
            .update(reviewRemarks)
            .set({ rank: index + 1 })
            .where(and(ofReview, eq(reviewRemarks.id, id)))
            .returning({ id: reviewRemarks.id })
        : [];
      if (ranked.length === 0) throw new NotFound(messages.deleted);
    }
    if (isEdit)
      await recordAuditEvents(tx, [
        {
          actor,
          event: "review.rank-remarks",
          subject: { type: "review", id: reviewId },
          before: { first: before.map(({ id }) => id) },
          after: { first: chosen },
        },
      ]);
  });
}

/**
 * Keeps or discards the remarks of former reviewers.
 *
 * @throws {NotFound} when the review is not theirs.
 * @throws {Conflict} when it is no longer editable.
 */
export async function settleEarlierRemarks(
  db: Database,
  actor: Actor | null,
  { reviewId, keep }: { reviewId: string; keep: boolean },
): Promise<number> {
  authorize(actor, "review.write");
  return db.transaction(async (tx) => {
    await lockOwnOpenReview(tx, actor.id, reviewId);
    const earlier = and(
      eq(reviewRemarks.reviewId, reviewId),
      or(isNull(reviewRemarks.authorId), ne(reviewRemarks.authorId, actor.id)),
    );
    const settled = keep
      ? await tx.update(reviewRemarks).set({ authorId: actor.id }).where(earlier).returning()
      : await tx.delete(reviewRemarks).where(earlier).returning();
    return settled.length;
  });
}

/**
 * Ticks off a remark of the actor's own completed review, or reverts that. The date of the first tick stays.
 *
 * @throws {NotFound} when the review is not theirs, is not completed, or has no such remark.
 */
export async function tickRemark(
  db: Database,
  actor: { id: string },
  { reviewId, id, isDone }: { reviewId: string; id: string; isDone: boolean },
): Promise<void> {
  if (!isUuid(id) || !isUuid(reviewId)) throw new NotFound();
  const own = db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .where(and(eq(serviceReviews.id, reviewId), isOwnCompletedReview(actor)));
  const ticked = await db
    .update(reviewRemarks)
    .set({ doneAt: isDone ? sql`coalesce(${reviewRemarks.doneAt}, ${now()})` : null })
    .where(and(eq(reviewRemarks.id, id), inArray(reviewRemarks.reviewId, own)))
    .returning({ id: reviewRemarks.id });
  if (ticked.length === 0) throw new NotFound();
}

/** The highest accepted version: far more than anyone saves, and far below the column's maximum. */
const latestVersion = 1_000_000;

/** Checks a version; 0 is a remark that was never saved. */
function isValidVersion(last: number | null): boolean {
  return last === null || (Number.isInteger(last) && last >= 0 && last <= latestVersion);
}

async function insertRemark(
  tx: Database,
  remark: RemarkContent & { id: string; reviewId: string; authorId: string; version: number },
): Promise<Row[]> {
  const [current] = await tx
    .select({ remarks: count() })
    .from(reviewRemarks)
    .where(eq(reviewRemarks.reviewId, remark.reviewId));
  if (current && current.remarks >= limits.remarks) throw new Conflict(messages.tooMany);
  const at = now();
  return tx
    .insert(reviewRemarks)
    .values({ ...remark, number: selectNextNumber(remark.reviewId), createdAt: at, updatedAt: at })
    .returning();
}

/** The number after the highest one of a submitted review; null before. */
function selectNextNumber(reviewId: string) {
  return sql`(select max(number) + 1 from review_remarks where review_id = ${reviewId})`;
}

/** Stores the numbers that the customer will see, in reading order. Call it when the review is submitted. */
export async function assignNumbers(tx: Database, reviewId: string): Promise<void> {
  const images = await listHandedImages(tx, reviewId);
  const remarks = sortByReadingOrder(
    await listRemarks(tx, reviewId),
    images.map(({ id }) => id),
  );
  const ids = sql.param(remarks.map(({ id }) => id));
  await tx.execute(sql`
    update review_remarks set number = numbered.number
    from unnest(${ids}::uuid[]) with ordinality as numbered (id, number)
    where review_remarks.id = numbered.id`);
}

function hasSameContent(row: Row, content: RemarkContent): boolean {
  return (Object.keys(content) as (keyof RemarkContent)[]).every(
    (key) => row[key] === content[key],
  );
}

async function recordRemarkEdit(
  tx: Database,
  actor: Actor,
  reviewId: string,
  before: Row | undefined,
  after: RemarkContent | null,
): Promise<void> {
  const recorded = (content: RemarkContent) => ({
    severity: content.severity,
    text: content.text,
    suggestion: content.suggestion,
  });
  await recordAuditEvents(tx, [
    {
      actor,
      event: "review.edit-remark",
      subject: { type: "review", id: reviewId },
      before: before && recorded(before),
      after: after && recorded(after),
    },
  ]);
}

/** The columns of a remark that are shown. */
type ShownRow = RemarkContent & Pick<Row, "id" | "rank" | "number" | "version">;

/** Returns a remark as screens show it. */
export function toRemark(row: ShownRow): Remark {
  const { id, severity, criterion, text, quote, suggestion, rank, number, version } = row;
  const { x, y, width, height } = row;
  const target = toTarget(row);
  const isPlaced = target && x !== null && y !== null && width !== null && height !== null;
  return {
    id,
    target,
    area: isPlaced ? { x, y, width, height } : null,
    severity,
    criterion: isCriterion(criterion) ? criterion : null,
    text,
    quote,
    suggestion,
    rank,
    ...(number !== null && { number }),
    version,
  };
}

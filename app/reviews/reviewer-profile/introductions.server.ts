import { and, asc, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { type Actor, isNotBanned } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, staffRoles, users } from "../../accounts/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { formatShortDate, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { getFirstCharacter } from "../../platform/text/cut-text.ts";
import { reviewAssignments, reviewerProfiles } from "../tables.server.ts";
import type { Introduced, Introduction } from "./introduction.tsx";

const { userId, firstName, field, about, hiddenAt, publicAt } = reviewerProfiles;
const columns = { firstName, field, about };
const isWritten = ne(firstName, "");

type OwnIntroduction = Introduction & {
  /** True if they agreed to be shown to everyone. */
  isPublic: boolean;
};

/** Finds a reviewer's own introduction and whether an admin hid it; null when they never wrote one. */
export async function findOwnIntroduction(
  db: Database,
  actor: { id: string },
): Promise<(OwnIntroduction & { isHidden: boolean }) | null> {
  const [row] = await db
    .select({ ...columns, hiddenAt, publicAt })
    .from(reviewerProfiles)
    .where(eq(userId, actor.id));
  if (!row) return null;
  const { hiddenAt: hidden, publicAt: agreed, ...introduction } = row;
  return { ...introduction, isHidden: hidden !== null, isPublic: agreed !== null };
}

/** The most reviewers on the services page. */
const maxPublic = 6;

/**
 * Lists the reviewers who agreed to be shown to everyone, those who agreed first before others. Leaves out hidden
 * introductions, banned people and former reviewers. Needs no permission.
 */
export async function listPublicReviewers(db: Database): Promise<Introduction[]> {
  const reviewers = await selectPublicReviewers(db);
  return reviewers.map(({ introduction }) => introduction);
}

/**
 * Finds whether a reviewer agreed to be shown to everyone, and whether they are shown. Check permission before calling
 * it.
 *
 * @returns null without an introduction
 */
export async function findPublicState(
  db: Database,
  reviewerId: string,
): Promise<{ hasAgreed: boolean; isShown: boolean } | null> {
  const [row] = await db
    .select({ publicAt })
    .from(reviewerProfiles)
    .where(and(eq(userId, reviewerId), isWritten));
  if (!row) return null;
  const reviewers = await selectPublicReviewers(db);
  return {
    hasAgreed: row.publicAt !== null,
    isShown: reviewers.some(({ id }) => id === reviewerId),
  };
}

function selectPublicReviewers(db: Database) {
  return db
    .select({ id: userId, introduction: columns })
    .from(reviewerProfiles)
    .innerJoin(users, eq(users.id, userId))
    .innerJoin(staffRoles, and(eq(staffRoles.userId, userId), eq(staffRoles.role, "reviewer")))
    .where(and(isNotNull(publicAt), isWritten, isNull(hiddenAt), isNotBanned(now())))
    .orderBy(asc(publicAt), asc(userId))
    .limit(maxPublic);
}

/**
 * Finds the introduction of a review's current or former reviewer. Check permission before calling it.
 *
 * @returns null for an unassigned review, or without a visible introduction
 */
export async function findReviewerIntroduction(
  db: Database,
  reviewId: string,
): Promise<Introduction | null> {
  const [row] = await db
    .select(columns)
    .from(reviewAssignments)
    .innerJoin(reviewerProfiles, eq(userId, reviewAssignments.reviewerId))
    .where(and(eq(reviewAssignments.reviewId, reviewId), isWritten, isNull(hiddenAt)));
  return row ?? null;
}

/**
 * Formats the reviewer and the date of a completed review: "reviewed by Meera · Nov 4, 2026". Check permission before
 * calling it.
 *
 * @returns null for an open review. Without a visible introduction, the text has only the date.
 */
export async function findReviewSignature(db: Database, reviewId: string): Promise<string | null> {
  const [row] = await db
    .select({ firstName, completedAt: reviewAssignments.completedAt })
    .from(reviewAssignments)
    .leftJoin(
      reviewerProfiles,
      and(eq(userId, reviewAssignments.reviewerId), isWritten, isNull(hiddenAt)),
    )
    .where(eq(reviewAssignments.reviewId, reviewId));
  if (!row?.completedAt) return null;
  const date = formatShortDate(row.completedAt);
  return row.firstName ? `reviewed by ${row.firstName} · ${date}` : `reviewed ${date}`;
}

/** Adds the first character of the name. */
export function addInitial<One extends Introduction>(introduction: One): One & Introduced {
  return { ...introduction, initial: getFirstCharacter(introduction.firstName).toUpperCase() };
}

/**
 * Saves the actor's introduction, and whether everyone may read it. Empty texts withdraw both. Saving the same again
 * changes nothing.
 */
export async function saveIntroduction(
  db: Database,
  actor: Actor | null,
  { isPublic: isAgreed, ...introduction }: Introduction & { isPublic?: boolean },
): Promise<void> {
  authorize(actor, "reviewer.introduce");
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ ...columns, isPublic: sql<boolean>`${publicAt} is not null` })
      .from(reviewerProfiles)
      .where(eq(userId, actor.id))
      .for("update");
    const isPublic = isAgreed === true && introduction.firstName !== "";
    const after = { ...introduction, isPublic };
    if (before && isSameIntroduction(before, after)) return;
    const moment = now();
    const agreedAt = before?.isPublic ? sql`${publicAt}` : moment;
    const changed = { ...introduction, updatedAt: moment, publicAt: isPublic ? agreedAt : null };
    await tx
      .insert(reviewerProfiles)
      .values({ userId: actor.id, ...changed, publicAt: isPublic ? moment : null })
      .onConflictDoUpdate({ target: userId, set: changed });
    const subject = { type: "user", id: actor.id };
    await recordAuditEvents(tx, [{ actor, event: "reviewer.introduce", subject, before, after }]);
  });
}

function isSameIntroduction(before: OwnIntroduction, after: OwnIntroduction): boolean {
  return (
    before.isPublic === after.isPublic &&
    before.firstName === after.firstName &&
    before.field === after.field &&
    before.about === after.about
  );
}

/** Lists all introductions, by account name. */
export async function listIntroductions(db: Database, actor: Actor | null) {
  authorize(actor, "reviewer.hide");
  const rows = await db
    .select({
      reviewerId: userId,
      ...columns,
      hiddenAt,
      name: profiles.fullName,
      email: users.email,
    })
    .from(reviewerProfiles)
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(profiles, eq(profiles.id, userId))
    .where(isWritten)
    .orderBy(asc(profiles.fullName), asc(userId));
  return rows.map(({ hiddenAt: hidden, name, email, ...row }) => ({
    ...row,
    name: name?.trim() || email,
    isHidden: hidden !== null,
  }));
}

/**
 * Hides a reviewer's introduction from customers, or shows it again. It is idempotent.
 *
 * @throws {NotFound} for a reviewer without an introduction.
 */
export async function hideReviewer(
  db: Database,
  actor: Actor | null,
  { reviewerId, hide }: { reviewerId: string; hide: boolean },
): Promise<void> {
  authorize(actor, "reviewer.hide");
  if (!isUuid(reviewerId)) throw new NotFound();
  await db.transaction(async (tx) => {
    const ofThem = eq(userId, reviewerId);
    const [row] = await tx.select(columns).from(reviewerProfiles).where(ofThem).for("update");
    if (!row) throw new NotFound();
    const changed = await tx
      .update(reviewerProfiles)
      .set({ hiddenAt: hide ? now() : null })
      .where(and(ofThem, hide ? isNull(hiddenAt) : isNotNull(hiddenAt)))
      .returning({ userId });
    if (changed.length === 0) return;
    const event = hide ? "reviewer.hide" : "reviewer.show";
    const subject = { type: "user", id: reviewerId };
    await recordAuditEvents(tx, [{ actor, event, subject, before: hide ? row : null }]);
  });
}

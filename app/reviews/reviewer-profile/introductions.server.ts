import { and, asc, eq, isNotNull, isNull, ne } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { formatShortDate, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { getFirstCharacter } from "../../platform/text/cut-text.ts";
import { reviewAssignments, reviewerProfiles } from "../tables.server.ts";
import type { Introduced, Introduction } from "./introduction.tsx";

const { userId, firstName, field, about, hiddenAt } = reviewerProfiles;
const columns = { firstName, field, about };
const isWritten = ne(firstName, "");

/** Finds a reviewer's own introduction and whether an admin hid it; null when they never wrote one. */
export async function findOwnIntroduction(
  db: Database,
  actor: { id: string },
): Promise<(Introduction & { isHidden: boolean }) | null> {
  const [row] = await db
    .select({ ...columns, hiddenAt })
    .from(reviewerProfiles)
    .where(eq(userId, actor.id));
  if (!row) return null;
  const { hiddenAt: hidden, ...introduction } = row;
  return { ...introduction, isHidden: hidden !== null };
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

/** Saves the actor's introduction; empty texts withdraw it. Saving the same again changes nothing. */
export async function saveIntroduction(
  db: Database,
  actor: Actor | null,
  introduction: Introduction,
): Promise<void> {
  authorize(actor, "reviewer.introduce");
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select(columns)
      .from(reviewerProfiles)
      .where(eq(userId, actor.id))
      .for("update");
    if (before && isSameIntroduction(before, introduction)) return;
    const changed = { ...introduction, updatedAt: now() };
    await tx
      .insert(reviewerProfiles)
      .values({ userId: actor.id, ...changed })
      .onConflictDoUpdate({ target: userId, set: changed });
    const subject = { type: "user", id: actor.id };
    await recordAuditEvents(tx, [
      { actor, event: "reviewer.introduce", subject, before, after: introduction },
    ]);
  });
}

function isSameIntroduction(before: Introduction, after: Introduction): boolean {
  return (
    before.firstName === after.firstName &&
    before.field === after.field &&
    before.about === after.about
  );
}

type ListedIntroduction = Introduction & {
  reviewerId: string;
  /** The account's name. */
  name: string;
  isHidden: boolean;
};

/** Lists all introductions, by account name. */
export async function listIntroductions(
  db: Database,
  actor: Actor | null,
): Promise<ListedIntroduction[]> {
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
    const [known] = await tx.select(columns).from(reviewerProfiles).where(ofThem).for("update");
    if (!known) throw new NotFound();
    const changed = await tx
      .update(reviewerProfiles)
      .set({ hiddenAt: hide ? now() : null })
      .where(and(ofThem, hide ? isNull(hiddenAt) : isNotNull(hiddenAt)))
      .returning({ userId });
    if (changed.length === 0) return;
    const event = hide ? "reviewer.hide" : "reviewer.show";
    const subject = { type: "user", id: reviewerId };
    await recordAuditEvents(tx, [{ actor, event, subject, before: hide ? known : null }]);
  });
}

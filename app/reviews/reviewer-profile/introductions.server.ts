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
import { getFieldLabel, type Known } from "../fields-and-languages.ts";
import {
  formatNameAndField,
  type Introduction,
  type ReviewerCard,
  type ShownReviewer,
} from "./introduction.ts";
import {
  formatRecord,
  getReviewerRecords,
  noRecord,
  type ReviewerRecord,
} from "./reviewer-records.server.ts";

const { userId, firstName, field, about, hiddenAt, publicAt, recordPublicAt } = reviewerProfiles;
const texts = { firstName, field, about };
const columns = {
  ...texts,
  knownFields: reviewerProfiles.knownFields,
  languages: reviewerProfiles.languages,
};
const isWritten = ne(firstName, "");

type OwnIntroduction = Introduction &
  Known & {
    /** True if they agreed to be shown to everyone. */
    isPublic: boolean;
    /** True if that includes what they know and their record. */
    isRecordPublic: boolean;
  };

/** Finds a reviewer's own introduction and whether an admin hid it; null when they never wrote one. */
export async function findOwnIntroduction(
  db: Database,
  actor: { id: string },
): Promise<(OwnIntroduction & { isHidden: boolean }) | null> {
  const [row] = await db
    .select({ ...columns, hiddenAt, publicAt, recordPublicAt })
    .from(reviewerProfiles)
    .where(eq(userId, actor.id));
  if (!row) return null;
  const { hiddenAt: hidden, publicAt: agreed, recordPublicAt: recordAgreed, ...introduction } = row;
  return {
    ...introduction,
    isHidden: hidden !== null,
    isPublic: agreed !== null,
    isRecordPublic: recordAgreed !== null,
  };
}

/** The most reviewers on the services page. */
const maxPublic = 6;

/**
 * Lists the reviewers who agreed to be shown to everyone with their records, those who agreed first before others.
 * Leaves out hidden introductions, banned people and former reviewers. Needs no permission.
 */
export async function listPublicReviewers(db: Database): Promise<ShownReviewer[]> {
  const [reviewers, records] = await Promise.all([
    selectPublicReviewers(db),
    getReviewerRecords(db),
  ]);
  return reviewers.map(({ id, introduction, isRecordPublic }) =>
    toShownReviewer(introduction, isRecordPublic ? (records.get(id) ?? noRecord) : null),
  );
}

/** Returns the card that a reviewer's customers see. It has their record only if they agreed to that. */
export async function getReviewerCard(
  db: Database,
  reviewerId: string,
  { isRecordPublic, ...introduction }: Introduction & Known & { isRecordPublic: boolean },
): Promise<ReviewerCard> {
  const records = isRecordPublic ? await getReviewerRecords(db) : null;
  const record = records && (records.get(reviewerId) ?? noRecord);
  return toReviewerCard(toShownReviewer(introduction, record));
}

/** Formats a reviewer. @param record null for one whose record is not shown */
function toShownReviewer(
  { knownFields, languages, about, ...introduction }: Introduction & Known,
  record: ReviewerRecord | null,
): ShownReviewer {
  const facts = [
    knownFields.map(getFieldLabel).join(", "),
    languages.length > 0 ? `Speaks ${languages.join(", ")}` : "",
    record ? formatRecord(record) : "",
  ];
  return {
    // Older browsers split Indic characters differently.
    initial: getFirstCharacter(introduction.firstName).toUpperCase(),
    name: formatNameAndField(introduction),
    about,
    facts: record ? facts.filter(Boolean) : [],
  };
}

/** Puts all texts about a reviewer into the lines of a card. */
export function toReviewerCard({ about, facts, ...reviewer }: ShownReviewer): ReviewerCard {
  return { ...reviewer, lines: [about, ...facts].filter(Boolean) };
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

const isReviewerRole = and(eq(staffRoles.userId, userId), eq(staffRoles.role, "reviewer"));

const isRecordPublic = sql<boolean>`${recordPublicAt} is not null`;

function selectPublicReviewers(db: Database) {
  return db
    .select({ id: userId, introduction: columns, isRecordPublic })
    .from(reviewerProfiles)
    .innerJoin(users, eq(users.id, userId))
    .innerJoin(staffRoles, isReviewerRole)
    .where(and(isNotNull(publicAt), isWritten, isNull(hiddenAt), isNotBanned(now())))
    .orderBy(asc(publicAt), asc(userId))
    .limit(maxPublic);
}

/**
 * Finds a review's current or former reviewer. It has the fields, languages and record only of a reviewer who
 * agreed to show them, is still a reviewer and isn't banned. Check permission before calling it.
 *
 * @returns null for an unassigned review, or without a visible introduction
 */
export async function findReviewerIntroduction(
  db: Database,
  reviewId: string,
): Promise<(ReviewerCard & Pick<Introduction, "firstName">) | null> {
  const [row] = await db
    .select({
      id: userId,
      introduction: columns,
      isRecordPublic: sql<boolean>`${and(isRecordPublic, isNotNull(staffRoles.userId), isNotBanned(now()))}`,
    })
    .from(reviewAssignments)
    .innerJoin(reviewerProfiles, eq(userId, reviewAssignments.reviewerId))
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(staffRoles, isReviewerRole)
    .where(and(eq(reviewAssignments.reviewId, reviewId), isWritten, isNull(hiddenAt)));
  if (!row) return null;
  const { id, introduction, ...agreement } = row;
  const card = await getReviewerCard(db, id, { ...introduction, ...agreement });
  return { ...card, firstName: introduction.firstName };
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

/**
 * Saves the actor's introduction, what they know, and whether everyone may read it. Empty texts withdraw the
 * introduction and the agreement. Saving the same again changes nothing.
 */
export async function saveIntroduction(
  db: Database,
  actor: Actor | null,
  form: Introduction & Partial<Known> & { isPublic?: boolean },
): Promise<void> {
  authorize(actor, "reviewer.introduce");
  const { isPublic: isAgreed, knownFields = [], languages = [], ...typed } = form;
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ ...columns, isPublic: sql<boolean>`${publicAt} is not null`, isRecordPublic })
      .from(reviewerProfiles)
      .where(eq(userId, actor.id))
      .for("update");
    const introduction = { ...typed, knownFields, languages };
    const isPublic = isAgreed === true && introduction.firstName !== "";
    const after = { ...introduction, isPublic, isRecordPublic: isPublic };
    if (before && isSameIntroduction(before, after)) return;
    const moment = now();
    const agreedAt = isPublic ? moment : null;
    const changed = { ...introduction, updatedAt: moment };
    await tx
      .insert(reviewerProfiles)
      .values({ userId: actor.id, ...changed, publicAt: agreedAt, recordPublicAt: agreedAt })
      .onConflictDoUpdate({
        target: userId,
        set: {
          ...changed,
          // An earlier agreement keeps its time.
          publicAt: isPublic ? sql`coalesce(${publicAt}, ${moment})` : null,
          recordPublicAt: isPublic ? sql`coalesce(${recordPublicAt}, ${moment})` : null,
        },
      });
    const subject = { type: "user", id: actor.id };
    const event = "reviewer.introduce";
    const [old, current] = [before && toAuditFields(before), toAuditFields(after)];
    await recordAuditEvents(tx, [{ actor, event, subject, before: old, after: current }]);
  });
}

/** Writes the lists as text for the history; empty ones are null. */
function toAuditFields({ knownFields, languages, ...fields }: OwnIntroduction) {
  return {
    ...fields,
    knownFields: knownFields.map(getFieldLabel).join(", ") || null,
    languages: languages.join(", ") || null,
  };
}

function isSameIntroduction(before: OwnIntroduction, after: OwnIntroduction): boolean {
  return (
    before.isPublic === after.isPublic &&
    before.isRecordPublic === after.isRecordPublic &&
    before.firstName === after.firstName &&
    before.field === after.field &&
    before.about === after.about &&
    before.knownFields.join() === after.knownFields.join() &&
    before.languages.join() === after.languages.join()
  );
}

/** Lists all introductions, by account name. */
export async function listIntroductions(db: Database, actor: Actor | null) {
  authorize(actor, "reviewer.hide");
  const rows = await db
    .select({
      reviewerId: userId,
      ...texts,
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
    const [row] = await tx.select(texts).from(reviewerProfiles).where(ofThem).for("update");
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

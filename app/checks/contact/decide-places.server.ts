import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import {
  countUpTo,
  type ListPage,
  type Order,
  readPageOrLast,
} from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { createEraser } from "./erase-person.ts";
import { listEventsOf, removeFromEvents } from "./job-events.server.ts";
import { contactPlaces } from "./tables.server.ts";
import { describePlace, type PlaceKind, truncateToMatch } from "./place-rules.ts";
import { findText, writeText } from "./naming-texts.server.ts";

const decided = "Another admin has already decided about this text.";
const placesPerPage = 25;

/** A text that names a removed contact. */
export type ListedPlace = {
  id: string;
  kind: PlaceKind;
  subjectId: string;
  field: string;
  jobId: string | null;
  foundAt: Date;
  /** The address where staff see the text; null if no screen has it. */
  link: string | null;
  /** The part of the text with the name, address or number; null if the text no longer has it. */
  quote: string | null;
};

const oldestFirst: Order<{ foundAt: Date; id: string }> = {
  keys: [
    { by: contactPlaces.foundAt, type: "timestamptz", of: ({ foundAt }) => foundAt },
    { by: contactPlaces.id, type: "uuid", of: ({ id }) => id },
  ],
  direction: "asc",
};

/** Lists the texts that wait for a decision, the oldest first. */
export async function listNamedPlaces(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
): Promise<ListPage<ListedPlace>> {
  authorize(actor, "contact.decide");
  const page = await readPageOrLast(oldestFirst, { cursor: after, size: placesPerPage }, (part) =>
    db
      .select()
      .from(contactPlaces)
      .where(part.where)
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
  const rows: ListedPlace[] = [];
  for (const { person, wasArchived: _was, archivedReason: _why, ...place } of page.rows) {
    const found = await findText(db, place);
    const quote = found && truncateToMatch(found.text, createEraser(person).eraseText);
    rows.push({ ...place, link: found?.link ?? null, quote });
  }
  return { ...page, rows };
}

/** Counts the texts that wait for a decision. */
export async function countNamedPlaces(db: Database, actor: Actor | null): Promise<Count> {
  authorize(actor, "contact.decide");
  return countUpTo(db, contactPlaces, gt(contactPlaces.foundAt, new Date(0)));
}

/**
 * Erases a removed contact from a text of others. A listing comes back once all of its texts are decided.
 *
 * @throws {Conflict} if it was decided before
 */
export async function removeFromText(
  db: Database,
  actor: Actor | null,
  { id }: { id: string },
): Promise<void> {
  authorize(actor, "contact.decide");
  await closePlace(db, id, async (tx, place) => {
    const eraser = createEraser(place.person);
    const found = await findText(tx, place);
    if (found) await writeText(tx, place, eraser.eraseText(found.text));
    await clearMails(tx, place, eraser.eraseText);
    // While the text waited, an edit or the deletion of the listing may have copied it.
    const jobId = place.kind === "listing" ? place.subjectId : place.jobId;
    if (jobId) await removeFromEvents(tx, await listEventsOf(tx, jobId), eraser);
    await recordDecision(tx, actor, "contact.erase-text", place, {});
  });
}

/**
 * Keeps a text of others that names a removed contact, such as a person of the same name.
 *
 * @throws {Conflict} if it was decided before
 */
export async function acceptText(
  db: Database,
  actor: Actor | null,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  authorize(actor, "contact.decide");
  await closePlace(db, id, async (tx, place) => {
    // The history must not have the name that the text keeps.
    const written = createEraser(place.person).eraseText(reason);
    await recordDecision(tx, actor, "contact.keep-text", place, { reason: written });
  });
}

type Place = typeof contactPlaces.$inferSelect;

/** Locks a place and its listing, and forgets it once it is decided. */
async function closePlace(
  db: Database,
  id: string,
  decide: (tx: Database, place: Place) => Promise<void>,
): Promise<void> {
  if (!isUuid(id)) throw new Conflict(decided);
  await db.transaction(async (tx) => {
    const [seen] = await tx.select().from(contactPlaces).where(eq(contactPlaces.id, id));
    if (!seen) throw new Conflict(decided);
    // A removal locks listings before their places too.
    if (seen.jobId)
      await tx
        .select({ id: jobs.id })
        .from(jobs)
        .where(eq(jobs.id, seen.jobId))
        .for("no key update");
    const [place] = await tx.delete(contactPlaces).where(eq(contactPlaces.id, id)).returning();
    if (!place) throw new Conflict(decided);
    await decide(tx, place);
    if (place.kind === "listing") await showListing(tx, place);
  });
}

/** Puts a listing back into the state that it had, unless a text of it still waits. */
async function showListing(tx: Database, { subjectId, wasArchived, archivedReason }: Place) {
  const [next] = await tx
    .select({ id: contactPlaces.id })
    .from(contactPlaces)
    .where(and(eq(contactPlaces.kind, "listing"), eq(contactPlaces.subjectId, subjectId)))
    .orderBy(asc(contactPlaces.id))
    .limit(1);
  if (next) return;
  await tx
    .update(jobs)
    .set({ isArchived: wasArchived ?? false, archivedReason, updatedAt: now() })
    .where(and(eq(jobs.id, subjectId), eq(jobs.archivedReason, "named")));
}

/** The emails that carry a text, by its kind. */
const causes: Record<PlaceKind, string[]> = {
  listing: [],
  report: [],
  message: ["contact", "contact-confirmation"],
  answer: ["contact-answer", "contact-follow-up"],
};

/** Erases the contact from the emails that carry a text, found by their unique causes. */
async function clearMails(
  tx: Database,
  { kind, subjectId }: Place,
  eraseText: (text: string) => string,
): Promise<void> {
  for (const cause of causes[kind]) {
    const { rows } = await tx.execute<{
      id: string;
      subject: string;
      html: string;
      text: string;
    }>(sql`
      select id, subject, html, text from mails
      where cause = ${`${cause}:${subjectId}`}`);
    for (const { id, subject, html, text } of rows)
      await tx.execute(sql`update mails set subject = ${eraseText(subject)}, html = ${eraseText(html)},
        text = ${eraseText(text)} where id = ${id}::uuid`);
  }
}

async function recordDecision(
  tx: Database,
  actor: Actor,
  event: string,
  { kind, subjectId, jobId, field }: Place,
  more: { reason?: string },
): Promise<void> {
  const about = kind === "listing" ? subjectId : jobId;
  const subject = about ? { type: "job", id: about } : { type: kind, id: subjectId };
  await recordAuditEvents(tx, [
    { actor, event, subject, after: { field: describePlace({ kind, field }), ...more } },
  ]);
}

import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { lockCompany } from "../../companies/own-companies.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import {
  buildOrder,
  countUpTo,
  type ListPage,
  readPageOrLast,
} from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { createEraser } from "./erase-person.ts";
import { listEventsOf, removeFromEvents } from "./job-events.server.ts";
import { contactMentions } from "./tables.server.ts";
import { describeMention, type MentionKind, truncateToMatch } from "./mention-rules.ts";
import { findText, writeText } from "./mention-texts.server.ts";

const decided = "Another admin has already decided about this text.";
const mentionsPerPage = 25;

/** A text that names a removed contact. */
export type ListedMention = {
  id: string;
  kind: MentionKind;
  subjectId: string;
  field: string;
  jobId: string | null;
  foundAt: Date;
  /** The address where staff see the text; null if no screen has it. */
  link: OwnPath | null;
  /** The part of the text with the name, address or number; null if the text no longer has it. */
  quote: string | null;
};

const oldestFirst = buildOrder("asc", { foundAt: contactMentions.foundAt, id: contactMentions.id });

/** Lists the texts that wait for a decision, the oldest first. */
export async function listMentions(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
): Promise<ListPage<ListedMention>> {
  authorize(actor, "contact.decide");
  const page = await readPageOrLast(oldestFirst, { cursor: after, size: mentionsPerPage }, (part) =>
    db
      .select()
      .from(contactMentions)
      .where(part.where)
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
  const rows: ListedMention[] = [];
  for (const { person, wasArchived: _was, archivedReason: _why, ...mention } of page.rows) {
    const source = await findText(db, mention);
    const quote = source && truncateToMatch(source.text, createEraser(person).eraseText);
    rows.push({ ...mention, link: source?.link ?? null, quote });
  }
  return { ...page, rows };
}

/** Counts the texts that wait for a decision. */
export async function countMentions(db: Database, actor: Actor | null): Promise<Count> {
  authorize(actor, "contact.decide");
  return countUpTo(db, contactMentions, gt(contactMentions.foundAt, new Date(0)));
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
  await closeMention(db, id, async (tx, mention) => {
    const eraser = createEraser(mention.person);
    const source = await findText(tx, mention);
    if (source) await writeText(tx, mention, eraser.eraseText(source.text));
    await clearMails(tx, mention, eraser.eraseText);
    // While the text waited, an edit or the deletion of the listing may have copied it.
    const jobId = mention.kind === "listing" ? mention.subjectId : mention.jobId;
    if (jobId) await removeFromEvents(tx, await listEventsOf(tx, jobId), eraser);
    await recordDecision(tx, actor, "contact.erase-text", mention, {});
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
  await closeMention(db, id, async (tx, mention) => {
    // The history must not have the name that the text keeps.
    const written = createEraser(mention.person).eraseText(reason);
    await recordDecision(tx, actor, "contact.keep-text", mention, { reason: written });
  });
}

type Mention = typeof contactMentions.$inferSelect;

/** Locks a mention and its listing or company, and forgets it once it is decided. */
async function closeMention(
  db: Database,
  id: string,
  decide: (tx: Database, mention: Mention) => Promise<void>,
): Promise<void> {
  if (!isUuid(id)) throw new Conflict(decided);
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(contactMentions).where(eq(contactMentions.id, id));
    if (!row) throw new Conflict(decided);
    // Publishing a change of the page locks the company too.
    if (row.kind === "company") await lockCompany(tx, row.subjectId);
    // A removal locks listings before their mentions too.
    if (row.jobId)
      await tx
        .select({ id: jobs.id })
        .from(jobs)
        .where(eq(jobs.id, row.jobId))
        .for("no key update");
    const [mention] = await tx
      .delete(contactMentions)
      .where(eq(contactMentions.id, id))
      .returning();
    if (!mention) throw new Conflict(decided);
    await decide(tx, mention);
    if (mention.kind === "listing") await showListing(tx, mention);
  });
}

/** Puts a listing back into the state that it had, unless a text of it still waits. */
async function showListing(tx: Database, { subjectId, wasArchived, archivedReason }: Mention) {
  const [next] = await tx
    .select({ id: contactMentions.id })
    .from(contactMentions)
    .where(and(eq(contactMentions.kind, "listing"), eq(contactMentions.subjectId, subjectId)))
    .orderBy(asc(contactMentions.id))
    .limit(1);
  if (next) return;
  await tx
    .update(jobs)
    .set({ isArchived: wasArchived ?? false, archivedReason, updatedAt: now() })
    .where(and(eq(jobs.id, subjectId), eq(jobs.archivedReason, "named")));
}

/** The emails that carry a text, by its kind. */
const causes: Partial<Record<MentionKind, string[]>> = {
  message: ["contact", "contact-confirmation"],
  answer: ["contact-answer", "contact-follow-up"],
};

/** Erases the contact from the emails that carry a text, found by their unique causes. */
async function clearMails(
  tx: Database,
  { kind, subjectId }: Mention,
  eraseText: (text: string) => string,
): Promise<void> {
  for (const cause of causes[kind] ?? []) {
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
  { kind, subjectId, jobId, field }: Mention,
  more: { reason?: string },
): Promise<void> {
  const about = kind === "listing" ? subjectId : jobId;
  const subject = about ? { type: "job", id: about } : { type: kind, id: subjectId };
  await recordAuditEvents(tx, [
    { actor, event, subject, after: { field: describeMention({ kind, field }), ...more } },
  ]);
}

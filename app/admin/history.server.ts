import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/authorize.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import type { Database } from "../platform/database.server.ts";
import { readCursor, writeCursor } from "../platform/page-cursor.server.ts";
import { auditEvents } from "../platform/tables.server.ts";
import { isUuid } from "../platform/uuid.ts";

export const eventsPerPage = 50;

export type ListedEvent = {
  id: string;
  at: Date;
  actorName: string;
  deed: string;
  subjectType: string;
  subjectId: string;
  before: unknown;
  after: unknown;
};

export type HistoryQuery = {
  /** Only of one kind of thing; null is all. */
  type: string | null;
  /** Only of the thing with this id. */
  id: string | null;
  after: string | null;
};

/**
 * Lists what staff and the operator did, the newest first, in pages.
 *
 * @returns `names`, the full names of the people whom the lines mention by id
 */
export async function listHistory(
  db: Database,
  actor: Actor | null,
  { type, id, after }: HistoryQuery,
): Promise<{ events: ListedEvent[]; names: Record<string, string>; next: string | null }> {
  authorize(actor, "product.oversee");
  const place = readCursor(after, cursor);
  const behind =
    place &&
    sql`(${auditEvents.at}, ${auditEvents.id}) < (${place[0]}::timestamptz, ${place[1]}::uuid)`;
  const rows = await db
    .select()
    .from(auditEvents)
    .where(
      and(
        type === null ? undefined : eq(auditEvents.subjectType, type),
        id === null ? undefined : eq(auditEvents.subjectId, id),
        behind ?? undefined,
      ),
    )
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(eventsPerPage + 1);
  const events = rows.slice(0, eventsPerPage);
  const last = events.at(-1);
  return {
    events,
    names: await namesIn(db, events),
    next:
      last && rows.length > events.length ? writeCursor([last.at.toISOString(), last.id]) : null,
  };
}

const cursor = z.tuple([z.iso.datetime(), z.guid()]);

async function namesIn(db: Database, events: ListedEvent[]): Promise<Record<string, string>> {
  const mentioned = events.flatMap(({ subjectType, subjectId, before, after }) => [
    ...(subjectType === "user" ? [subjectId] : []),
    ...[before, after].map((state) => (state as { reviewerId?: unknown } | null)?.reviewerId),
  ]);
  const ids = [...new Set(mentioned.filter((id) => typeof id === "string" && isUuid(id)))];
  const people = await db
    .select({ id: profiles.id, fullName: profiles.fullName })
    .from(profiles)
    .where(inArray(profiles.id, ids));
  return Object.fromEntries(
    people.map(({ id, fullName }) => [id, fullName?.trim() || "Unknown User"]),
  );
}

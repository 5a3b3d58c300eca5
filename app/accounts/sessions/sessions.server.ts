import Bowser from "bowser";
import { and, count, desc, eq, gt, ne } from "drizzle-orm";
import { now, formatShortDateTime } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Actor } from "../actor.server.ts";
import { authorize } from "../permissions.server.ts";
import { sessions } from "../tables.server.ts";

export type OwnSession = Awaited<ReturnType<typeof listOwnSessions>>["sessions"][number];

/** Sessions beyond this number aren't listed, but can be ended together. */
const maxSessions = 50;

/** Lists a person's sessions: the current one first, then by last use. */
export async function listOwnSessions(db: Database, actor: Pick<Actor, "id" | "sessionId">) {
  const isOpen = and(eq(sessions.userId, actor.id), gt(sessions.expiresAt, now()));
  const rows = await db
    .select()
    .from(sessions)
    .where(isOpen)
    .orderBy(desc(eq(sessions.id, actor.sessionId)), desc(sessions.seenAt), sessions.id)
    .limit(maxSessions);
  const [{ total } = { total: 0 }] = await db
    .select({ total: count() })
    .from(sessions)
    .where(isOpen);
  const listed = rows.map(({ id, userAgent, createdAt, seenAt }) => ({
    id,
    device: formatDevice(userAgent),
    openedAt: formatShortDateTime(createdAt),
    seenAt: formatShortDateTime(seenAt),
    isThis: id === actor.sessionId,
  }));
  return { sessions: listed, more: Math.max(0, total - listed.length) };
}

/**
 * Ends one of a person's own sessions.
 *
 * @throws {NotFound} if it has already ended or isn't theirs.
 */
export async function revokeOwnSession(
  db: Database,
  actor: Actor | null,
  sessionId: string,
): Promise<void> {
  authorize(actor, "session.end");
  const ended = isUuid(sessionId)
    ? await db
        .delete(sessions)
        .where(and(eq(sessions.id, sessionId), eq(sessions.userId, actor.id)))
        .returning({ id: sessions.id })
    : [];
  if (ended.length === 0) throw new NotFound("That session has already ended.");
}

/** Ends all other sessions of a person, and returns how many. */
export async function revokeOtherSessions(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "session.end");
  const { rowCount } = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, actor.id), ne(sessions.id, actor.sessionId)));
  return rowCount ?? 0;
}

/**
 * Formats a browser's name, such as "Chrome on Windows" or "Safari on iPhone".
 *
 * @param userAgent the request header, or null if there was none
 */
export function formatDevice(userAgent: string | null): string {
  if (!userAgent) return unknown;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const machine =
    isKnownPart(platform.model) && platform.vendor === "Apple" ? platform.model : os.name;
  const parts = [browser.name, machine].filter(isKnownPart);
  return parts.length > 0 ? parts.join(" on ") : unknown;
}

const unknown = "Unknown browser";

function isKnownPart(part: string | undefined): part is string {
  return Boolean(part);
}

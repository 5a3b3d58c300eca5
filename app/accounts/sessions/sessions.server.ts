import Bowser from "bowser";
import { and, count, desc, eq, gt, ne } from "drizzle-orm";
import { now, formatShortDateTime } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Actor } from "../actor.server.ts";
import { authorize } from "../permissions.server.ts";
import { sessions } from "../tables.server.ts";

export type OwnSession = {
  id: string;
  device: string;
  openedAt: string;
  seenAt: string;
  /** The one that asks. */
  isThis: boolean;
};

/** More sessions than this are not listed, only ended together. */
const maxSessions = 50;

/** Lists a person's sessions: the current one first, then by last use. */
export async function listOwnSessions(
  db: Database,
  actor: Pick<Actor, "id" | "sessionId">,
): Promise<{ sessions: OwnSession[]; more: number }> {
  const isOpen = and(eq(sessions.userId, actor.id), gt(sessions.expiresAt, now()));
  const rows = await db
    .select()
    .from(sessions)
    .where(isOpen)
    .orderBy(desc(eq(sessions.id, actor.sessionId)), desc(sessions.seenAt), sessions.id)
    .limit(maxSessions);
  const [{ all } = { all: 0 }] = await db.select({ all: count() }).from(sessions).where(isOpen);
  const shown = rows.map(({ id, userAgent, createdAt, seenAt }) => ({
    id,
    device: formatDevice(userAgent),
    openedAt: formatShortDateTime(createdAt),
    seenAt: formatShortDateTime(seenAt),
    isThis: id === actor.sessionId,
  }));
  return { sessions: shown, more: Math.max(0, all - shown.length) };
}

/**
 * Ends one of a person's own sessions, wherever it is.
 *
 * @throws {NotFound} when it has ended already, or is somebody else's.
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

/** Ends every session of a person but the one that asks, and returns how many. */
export async function revokeOtherSessions(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "session.end");
  const { rowCount } = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, actor.id), ne(sessions.id, actor.sessionId)));
  return rowCount ?? 0;
}

/**
 * A browser in words, as in "Chrome on Windows" or "Safari on iPhone", out of what it says of itself.
 *
 * @param userAgent the header of that name, or null where there was none
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

import { and, eq, gt, sql } from "drizzle-orm";
import { createContext, type RouterContextProvider } from "react-router";
import { day, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { SignedOut } from "../platform/errors.ts";
import { roleFlags, type RoleFlags } from "./roles.ts";
import { profiles, sessions, staffRoles, users } from "./tables.server.ts";

/** A signed-in person, as the server knows them at this request. */
export type Actor = RoleFlags & {
  id: string;
  email: string;
  fullName: string | null;
  hasActiveSubscription: boolean;
  sessionId: string;
};

/** Who is acting; null is a visitor. `const actor = context.get(currentActor)` */
export const currentActor = createContext<Actor | null>(null);

/**
 * Who is acting on a screen behind a door that only lets in who is signed in.
 *
 * @throws {SignedOut} where the door is missing.
 */
export function signedInActor(context: Readonly<RouterContextProvider>): Actor {
  const actor = context.get(currentActor);
  if (!actor) throw new SignedOut();
  return actor;
}

/** A session ends this long after its last use. */
export const sessionLifetime = 30 * day;

/**
 * Finds who a session token belongs to, in one query: session, user, profile, roles and ban.
 *
 * @returns null for an unknown, expired or banned one; `slide` is true when the session's
 * end should be moved, which is once a day.
 */
export async function readActor(
  db: Database,
  token: string,
): Promise<{ actor: Actor; slide: boolean } | null> {
  const moment = now();
  const [row] = await db
    .select({
      sessionId: sessions.id,
      updatedAt: sessions.updatedAt,
      id: users.id,
      email: users.email,
      bannedUntil: users.bannedUntil,
      fullName: sql<string | null>`coalesce(${profiles.fullName}, ${users.name})`,
      isSubscribed: profiles.isSubscribed,
      subscriptionEndsAt: profiles.subscriptionEndsAt,
      isRecurring: profiles.isRecurring,
      roles: sql<
        string[]
      >`array(select ${staffRoles.role} from ${staffRoles} where ${staffRoles.userId} = ${users.id})`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(and(eq(sessions.token, token), gt(sessions.expiresAt, moment), users.emailVerified));
  if (!row || (row.bannedUntil && row.bannedUntil > moment)) return null;

  const actor: Actor = {
    id: row.id,
    email: row.email,
    fullName: row.fullName,
    sessionId: row.sessionId,
    hasActiveSubscription: isActive(row, moment),
    ...roleFlags(row.roles),
  };
  return { actor, slide: moment.getTime() - row.updatedAt.getTime() > day };
}

/** Moves the end of a session that is being used. */
export async function slideSession(db: Database, sessionId: string): Promise<void> {
  const moment = now();
  await db
    .update(sessions)
    .set({ updatedAt: moment, expiresAt: new Date(moment.getTime() + sessionLifetime) })
    .where(eq(sessions.id, sessionId));
}

type Subscription = {
  isSubscribed: boolean | null;
  subscriptionEndsAt: Date | null;
  isRecurring: boolean | null;
};

/** The one rule of who is a subscriber: subscribed, and not past an end that does not renew. */
export function isActive(subscription: Subscription, moment: Date): boolean {
  const { isSubscribed, subscriptionEndsAt, isRecurring } = subscription;
  return Boolean(
    isSubscribed && (!subscriptionEndsAt || subscriptionEndsAt > moment || isRecurring),
  );
}

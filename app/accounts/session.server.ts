import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, lt, ne, sql } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { appContext, requestFacts } from "../platform/app-context.server.ts";
import { day, minute, now, second, formatShortDate, toIsoDay } from "../platform/clock.ts";
import {
  type Cookie,
  getCookieName,
  expireCookie,
  readCookie,
  setCookie,
  type Site,
} from "../platform/cookies.ts";
import {
  type Database,
  createPreparedQuery,
  deleteRowsInSteps,
} from "../platform/database.server.ts";
import { Denied, NotFound } from "../platform/errors.ts";
import { milestones } from "../platform/tables.server.ts";
import {
  type Actor,
  getFactorDueAt,
  isSubscriptionActive,
  isBanned,
  staffRule,
} from "./actor.server.ts";
import { toRoleFlags } from "./roles.ts";
import { accountClosed, emailNotConfirmed } from "./rules.ts";
import {
  accountUses,
  authenticators,
  halfSignIns,
  passkeys,
  profiles,
  sessions,
  staffRoles,
  users,
} from "./tables.server.ts";

/** A session ends this long after its last use. */
const idleLifetime = 30 * day;
/** A session ends this long after it was opened, even if it is in use. */
const maxLifetime = 90 * day;

/** The time for which a sign-in allows sensitive actions. */
const proofLifetime = 15 * minute;
/** The use of a session is recorded at most this often. */
const seenInterval = 5 * minute;

/** An open session, as stored in its cookie. The table has only the hash of the token. */
export type Session = {
  token: string;
  expiresAt: Date;
  /** True if signing in restored a closed account. */
  isRestored?: boolean;
};

/** The browser that a session is opened for, and its previous session. */
export type Browser = {
  clientAddress?: string;
  userAgent?: string | null;
  formerToken?: string | null;
  /** True if the account has signed in on it before. */
  isKnown?: boolean;
};

/**
 * Opens a session for a verified person, and replaces their browser's previous session. A ban locks the same
 * row, so it either refuses the sign-in or ends the new session.
 *
 * @param by `link` proves only access to the inbox, which is not enough for sensitive actions
 * @throws {Denied} for a person who is banned, has not confirmed their address, or closed their account.
 * @throws {NotFound} if the person no longer exists.
 */
export async function openSession(
  db: Database,
  userId: string,
  { clientAddress, userAgent, formerToken }: Browser = {},
  by: "proof" | "link" = "proof",
): Promise<Session> {
  return db.transaction(async (tx) => {
    const { closedAt } = await requireSignInAllowed(tx, userId);
    if (closedAt) throw new Denied(accountClosed);
    if (formerToken) await revokeSession(tx, formerToken);
    await recordAccountUse(tx, userId);
    const createdAt = now();
    const session = { token: generateToken(), expiresAt: getSessionEnd(createdAt, createdAt) };
    await tx.insert(sessions).values({
      userId,
      tokenHash: hashToken(session.token),
      createdAt,
      updatedAt: createdAt,
      expiresAt: session.expiresAt,
      seenAt: createdAt,
      provedAt: by === "proof" ? createdAt : null,
      ipAddress: clientAddress ?? null,
      userAgent: userAgent?.slice(0, 300) ?? null,
    });
    return session;
  });
}

/**
 * Refuses a person who may not sign in. A concurrent ban waits until the transaction ends.
 *
 * @throws {Denied} for a person who is banned or has not confirmed their address.
 * @throws {NotFound} if the person no longer exists.
 */
export async function requireSignInAllowed(
  tx: Database,
  userId: string,
): Promise<{ closedAt: Date | null }> {
  const [user] = await tx
    .select({
      isConfirmed: users.emailVerified,
      bannedUntil: users.bannedUntil,
      closedAt: users.closedAt,
    })
    .from(users)
    .where(eq(users.id, userId))
    .for("share");
  if (!user) throw new NotFound("This account no longer exists.");
  if (!user.isConfirmed) throw new Denied(emailNotConfirmed, "email-not-confirmed");
  if (user.bannedUntil && isBanned(user, now())) {
    const end = formatShortDate(user.bannedUntil);
    throw new Denied(`This account is suspended until ${end}. Please contact support.`);
  }
  return user;
}

/**
 * Finds the person of a session token in one query: session, user, profile, roles, ban and second factor.
 * Staff whose second factor is overdue get no roles.
 *
 * @returns null for an unknown or expired token, or a banned person. Once a day, `extendsTo` is the session's
 * new end; otherwise it is null. `needsSeenUpdate` is true if its use should be recorded.
 */
export async function findActor(
  db: Database,
  token: string,
): Promise<{ actor: Actor; extendsTo: Date | null; needsSeenUpdate: boolean } | null> {
  const moment = now();
  const [row] = await actorQuery(db).execute({
    tokenHash: hashToken(token),
    moment: moment.toISOString(),
  });
  if (!row || isBanned(row, moment)) return null;

  const dueAt = row.hasFactor ? null : getFactorDueAt(row);
  const isOverdue = dueAt !== null && dueAt <= moment;
  const actor: Actor = {
    id: row.id,
    email: row.email,
    fullName: row.fullName,
    sessionId: row.sessionId,
    isProved: row.provedAt !== null && moment.getTime() - row.provedAt.getTime() < proofLifetime,
    hasActiveSubscription: isSubscriptionActive(row, moment),
    factorDueAt: dueAt,
    ...toRoleFlags(isOverdue ? [] : row.roles),
  };
  const needsExtension = moment.getTime() - row.usedAt.getTime() > day;
  return {
    actor,
    extendsTo: needsExtension ? getSessionEnd(moment, row.openedAt) : null,
    needsSeenUpdate: moment.getTime() - row.seenAt.getTime() > seenInterval,
  };
}

/** Runs on every request. */
const actorQuery = createPreparedQuery((db) =>
  db
    .select({
      sessionId: sessions.id,
      openedAt: sessions.createdAt,
      usedAt: sessions.updatedAt,
      seenAt: sessions.seenAt,
      provedAt: sessions.provedAt,
      expiresAt: sessions.expiresAt,
      id: users.id,
      email: users.email,
      bannedUntil: users.bannedUntil,
      fullName: sql<string | null>`coalesce(${profiles.fullName}, ${users.name})`,
      isSubscribed: profiles.isSubscribed,
      subscriptionEndsAt: profiles.subscriptionEndsAt,
      isRecurring: profiles.isRecurring,
      roles: userRoles,
      staffSince,
      hasFactor,
      requiredSince,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder("tokenHash")),
        gt(sessions.expiresAt, sql.placeholder("moment")),
        users.emailVerified,
      ),
    )
    .prepare("find_actor"),
);

/** The roles of the user that a query selects. */
export const userRoles = sql<
  string[]
>`array(select ${staffRoles.role} from ${staffRoles} where ${staffRoles.userId} = ${users.id})`;

const staffSince = sql<Date | null>`(select min(${staffRoles.createdAt}) from ${staffRoles}
  where ${staffRoles.userId} = ${users.id})`.mapWith(staffRoles.createdAt);

const hasFactor = sql<boolean>`(
  exists (select from ${authenticators}
    where ${authenticators.userId} = ${users.id} and ${authenticators.confirmedAt} is not null)
  or exists (select from ${passkeys} where ${passkeys.userId} = ${users.id}))`;

const requiredSince = sql<Date | null>`(select ${milestones.at} from ${milestones}
  where ${milestones.name} = ${staffRule})`.mapWith(milestones.at);

export async function extendSession(
  db: Database,
  sessionId: string,
  expiresAt: Date,
): Promise<void> {
  await db.update(sessions).set({ updatedAt: now(), expiresAt }).where(eq(sessions.id, sessionId));
}

/** Records the use of a session and of its account. */
export async function recordSessionUse(db: Database, sessionId: string): Promise<void> {
  const [session] = await db
    .update(sessions)
    .set({ seenAt: now() })
    .where(eq(sessions.id, sessionId))
    .returning({ userId: sessions.userId });
  if (session) await recordAccountUse(db, session.userId);
}

/** Records that a person uses their account today. */
async function recordAccountUse(db: Database, userId: string): Promise<void> {
  await db
    .insert(accountUses)
    .values({ userId, day: toIsoDay(now()) })
    .onConflictDoUpdate({
      target: accountUses.userId,
      set: { day: sql`excluded.day`, warnedAt: null },
      setWhere: sql`${accountUses.day} < excluded.day or ${accountUses.warnedAt} is not null`,
    });
}

/** Ends the session of this token, if there is one. */
export async function revokeSession(db: Database, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
}

/** Signs a person out everywhere, except for one session if given. Unfinished sign-ins end too. */
export async function revokeUserSessions(
  tx: Database,
  userId: string,
  { but }: { but?: string } = {},
): Promise<void> {
  const others = but === undefined ? undefined : ne(sessions.id, but);
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), others));
  await tx.delete(halfSignIns).where(eq(halfSignIns.userId, userId));
}

/** Deletes expired sessions, and returns how many. */
export function deleteExpiredSessions(db: Database): Promise<number> {
  return deleteRowsInSteps(db, sessions, sessions.id, lt(sessions.expiresAt, now()));
}

/**
 * Serializes changes to how a person signs in. It comes first in a transaction: every change locks the person
 * before the rows that belong to them.
 */
export async function lockPerson(tx: Database, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

const cookie: Cookie = { name: "session", isOfPort: true };

export function getSessionCookieName(site: Site): string {
  return getCookieName(cookie, site);
}

/** Builds the `Set-Cookie` header that gives a browser its session. */
export function buildSessionCookie(site: Site, { token, expiresAt }: Session): string {
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - now().getTime()) / second));
  return setCookie(cookie, token, seconds, site);
}

/** Builds the `Set-Cookie` header that removes the session from a browser. */
export function buildExpiredSessionCookie(site: Site): string {
  return expireCookie(cookie, site);
}

/** Reads the token from a request's `Cookie` header. */
export function readSessionToken(site: Site, header: string | null): string | null {
  return readCookie(cookie, header, site) || null;
}

/** Reads the facts about a browser that opening a session needs. */
export function readBrowser(
  context: Readonly<RouterContextProvider>,
  { headers }: Request,
): Browser {
  return {
    clientAddress: context.get(requestFacts).clientAddress,
    userAgent: headers.get("user-agent"),
    formerToken: readSessionToken(context.get(appContext).config, headers.get("cookie")),
  };
}

function getSessionEnd(lastUse: Date, openedAt: Date): Date {
  return new Date(Math.min(lastUse.getTime() + idleLifetime, openedAt.getTime() + maxLifetime));
}

/** Generates 256 random bits for a cookie or a URL. */
export function generateToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Hashes a token for storage: reading the hash does not allow using the token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { AppContext } from "../../platform/app-context.server.ts";
import { minute, now, second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Cookie, expireCookie, readCookie, setCookie } from "../../platform/cookies.ts";
import { type Database, deleteRowsInSteps } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { verifyPasskey } from "../passkeys/passkeys.server.ts";
import { toRoleFlags, type RoleFlags } from "../roles.ts";
import {
  type Browser,
  hashToken,
  userRoles,
  lockPerson,
  generateToken,
  requireSignInAllowed,
  type Session,
} from "../session.server.ts";
import { openSessionAndNotify } from "../sessions/known-device.server.tsx";
import { ownEmail } from "../sealed-accounts.server.ts";
import { halfSignIns, users } from "../tables.server.ts";
import { countCodeTry, consumeCode, wrongCode } from "./authenticator.server.ts";
import { recordFactorChange } from "../factor-changes.server.tsx";

const lifetime = 10 * minute;
const maxTries = 10;

/** A sign-in that still needs the second factor, as stored in its cookie. It is not a session. */
export type HalfSignIn = { token: string };

/**
 * Records a correct password, for a browser that still has to prove the second factor.
 *
 * @throws {Denied} for a person who is banned or has not confirmed their address.
 */
export async function openHalfSignIn(tx: Database, userId: string): Promise<HalfSignIn> {
  await requireSignInAllowed(tx, userId);
  const half = { token: generateToken() };
  const createdAt = now();
  await tx.insert(halfSignIns).values({
    tokenHash: hashToken(half.token),
    userId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifetime),
  });
  return half;
}

/** Finds the sign-in that this browser has to complete; null if there is none or it expired. */
export async function findHalfSignIn(
  db: Database,
  token: string | null,
): Promise<{ id: string; email: string } | null> {
  if (!token) return null;
  const [person] = await db
    .select({ id: users.id, email: ownEmail })
    .from(halfSignIns)
    .innerJoin(users, eq(users.id, halfSignIns.userId))
    .where(isHalfSignInOpen(token));
  return person ?? null;
}

/**
 * Completes the second step with a code from the app or a recovery code, and opens a session with a new token.
 *
 * @param browserFor returns facts about the browser for the person's address
 * @throws {Invalid} if the code is wrong or was already used.
 * @throws {Conflict} if the person has to enter the password again.
 * @throws {TooMany} after too many attempts.
 */
export async function finishByCode(
  site: Pick<AppContext, "db" | "config">,
  token: string,
  code: string,
  browserFor: (email: string) => Browser,
): Promise<{ session: Session; email: string; roles: RoleFlags }> {
  const { db, config } = site;
  const person = await countSecondStepTry(db, token);
  await countCodeTry(site, person.userId);
  return db.transaction(async (tx) => {
    await lockPerson(tx, person.userId);
    const kind = await consumeCode(tx, config.secondFactorKeys, person.userId, code);
    if (!kind) throw new Invalid({ code: wrongCode });
    const finished = await finishHalfSignIn(tx, config, token, browserFor);
    if (kind === "recovery")
      await recordFactorChange(tx, config, finished.person, "factor.use-recovery-code");
    return finished;
  });
}

/**
 * The same with one of the person's passkeys.
 *
 * @throws {Invalid} if the passkey isn't theirs.
 * @throws {Conflict} if the person has to enter the password again.
 */
export async function finishByPasskey(
  { db, config }: Pick<AppContext, "db" | "config">,
  token: string,
  response: AuthenticationResponseJSON,
  browserFor: (email: string) => Browser,
): Promise<{ session: Session; email: string; roles: RoleFlags }> {
  const person = await countSecondStepTry(db, token);
  return db.transaction(async (tx) => {
    const { userId } = await verifyPasskey(tx, config, response);
    if (userId !== person.userId)
      throw new Invalid({ "": "This passkey belongs to another account." });
    return finishHalfSignIn(tx, config, token, browserFor);
  });
}

/**
 * Consumes a half sign-in after the second factor was proved. Of two concurrent requests, one gets a session.
 *
 * @throws {Conflict} if it was used or has expired.
 */
async function finishHalfSignIn(
  tx: Database,
  config: Config,
  token: string,
  browserFor: (email: string) => Browser,
) {
  const [used] = await tx.delete(halfSignIns).where(isHalfSignInOpen(token)).returning();
  if (!used) throw new Conflict(tooLate);
  const { id, email, name, roles } = (
    await tx
      .select({ id: users.id, email: ownEmail, name: users.name, roles: userRoles })
      .from(users)
      .where(eq(users.id, used.userId))
  )[0]!;
  const session = await openSessionAndNotify(tx, config, { id, email }, browserFor(email));
  return { session, email, roles: toRoleFlags(roles), person: { id, email, fullName: name } };
}

const tooLate = "That took too long. Please log in again.";

/** Counts the attempt before the code is checked, so that concurrent guesses can't exceed the limit. */
async function countSecondStepTry(db: Database, token: string): Promise<{ userId: string }> {
  const [person] = await db
    .update(halfSignIns)
    .set({ tries: sql`${halfSignIns.tries} + 1` })
    .where(and(isHalfSignInOpen(token), lt(halfSignIns.tries, maxTries)))
    .returning({ userId: halfSignIns.userId });
  if (!person) throw new Conflict(tooLate);
  return person;
}

function isHalfSignInOpen(token: string) {
  return and(eq(halfSignIns.tokenHash, hashToken(token)), gt(halfSignIns.expiresAt, now()));
}

/** Deletes expired half sign-ins, and returns how many. */
export function deleteExpiredHalfSignIns(db: Database): Promise<number> {
  return deleteRowsInSteps(
    db,
    halfSignIns,
    halfSignIns.tokenHash,
    lt(halfSignIns.expiresAt, now()),
  );
}

type Site = Pick<Config, "origin">;
const cookie: Cookie = { name: "second-step", isOfPort: true };

/** Builds the `Set-Cookie` header that lets a browser take the second step. */
export function buildHalfSignInCookie(site: Site, { token }: HalfSignIn): string {
  return setCookie(cookie, token, lifetime / second, site);
}

/** Builds the `Set-Cookie` header that removes it. */
export function buildExpiredHalfSignInCookie(site: Site): string {
  return expireCookie(cookie, site);
}

/** Reads the token from a request's `Cookie` header. */
export function readHalfSignInToken(site: Site, header: string | null): string | null {
  return readCookie(cookie, header, site);
}

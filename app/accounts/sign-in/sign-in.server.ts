import { and, eq, sql } from "drizzle-orm";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { AppContext } from "../../platform/app-context.server.ts";
import { minute, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Denied, Invalid, TooMany } from "../../platform/errors.ts";
import {
  type Counting,
  countTry,
  listLimits,
  listNetworks,
  type RateLimit,
  releaseTry,
} from "../../platform/rate-limit.server.ts";
import type { Actor } from "../actor.server.ts";
import { verifyPasskey } from "../passkeys/passkeys.server.ts";
import {
  findMatchingForm,
  hashPassword,
  needsRehash,
  verifyPassword,
} from "../passwords.server.ts";
import { type RoleFlags, toRoleFlags } from "../roles.ts";
import { wrongCredentials } from "../rules.ts";
import {
  countCodeTry,
  getFactors,
  consumeCode,
  wrongCode,
} from "../second-factor/authenticator.server.ts";
import { type HalfSignIn, openHalfSignIn } from "../second-factor/second-step.server.ts";
import {
  type Browser,
  userRoles,
  lockPerson,
  openSession,
  type Session,
} from "../session.server.ts";
import { isOwnerOf, ownEmail } from "../sealed-accounts.server.ts";
import { accounts, users } from "../tables.server.ts";
import { openSessionAndNotify } from "../sessions/known-device.server.tsx";

/** The result of a correct password: a session, or the second step. */
type SignedIn = { session: Session; roles: RoleFlags } | { half: HalfSignIn };

/**
 * Checks a password and opens a session if no second factor is needed. Only a person who knows the password
 * learns that an address is unconfirmed or banned. An unknown address gets the same message in the same time as
 * a wrong password.
 *
 * @param email in lower case
 * @throws {Denied} with the message to show.
 */
export async function signIn(
  { db, config }: Site,
  { email, password }: Credentials,
  browser: Browser = {},
): Promise<SignedIn> {
  const { id, passwordHash, roles } = await checkPassword(db, email, password);
  return db.transaction(async (tx) => {
    const { app, passkey } = await getFactors(tx, id);
    // A passkey is a convenience for customers, but may be the second factor that staff need.
    const opened =
      app || (passkey && roles.length > 0)
        ? { half: await openHalfSignIn(tx, id) }
        : {
            session: await openSessionAndNotify(tx, config, { id, email }, browser),
            roles: toRoleFlags(roles),
          };
    await requireUnchangedPassword(tx, id, passwordHash);
    return opened;
  });
}

type Site = Pick<AppContext, "db" | "config">;
type Credentials = { email: string; password: string };

/**
 * Opens a session with a passkey alone, which replaces the password and the second factor.
 *
 * @param browserFor returns facts about the browser for the person's address
 * @throws {Invalid} if the passkey is unknown.
 * @throws {Denied} for a person who is banned.
 */
export async function signInByPasskey(
  { db, config }: Site,
  response: AuthenticationResponseJSON,
  browserFor: (email: string) => Browser,
): Promise<{ session: Session; email: string; roles: RoleFlags }> {
  return db.transaction(async (tx) => {
    const { userId: id } = await verifyPasskey(tx, config, response);
    const { email, roles } = (
      await tx.select({ email: ownEmail, roles: userRoles }).from(users).where(eq(users.id, id))
    )[0]!;
    const session = await openSessionAndNotify(tx, config, { id, email }, browserFor(email));
    return { session, email, roles: toRoleFlags(roles) };
  });
}

/**
 * Replaces an open session with a new one after the person entered their password again.
 *
 * @throws {Invalid} if the password is wrong.
 */
export async function signInAgain(
  db: Database,
  actor: Pick<Actor, "email">,
  password: string,
  browser: Browser,
): Promise<Session> {
  const { id, passwordHash } = await checkPassword(db, actor.email, password).catch((error) => {
    throw error instanceof Denied ? new Invalid({ password: "That's not your password." }) : error;
  });
  return db.transaction(async (tx) => {
    const session = await openSession(tx, id, browser);
    await requireUnchangedPassword(tx, id, passwordHash);
    return session;
  });
}

/**
 * The same with a code from their authenticator app, or a recovery code.
 *
 * @throws {Invalid} if the code is wrong or was already used.
 * @throws {TooMany} after too many attempts.
 */
export async function signInAgainByCode(
  site: Site,
  actor: Pick<Actor, "id">,
  code: string,
  browser: Browser,
): Promise<Session> {
  const { db, config } = site;
  await countCodeTry(site, actor.id);
  return db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    const kind = await consumeCode(tx, config.secondFactorKeys, actor.id, code);
    if (!kind) throw new Invalid({ code: wrongCode });
    return openSession(tx, actor.id, browser);
  });
}

/**
 * The same with a passkey.
 *
 * @throws {Invalid} if the passkey isn't theirs.
 */
export async function signInAgainByPasskey(
  { db, config }: Site,
  actor: Pick<Actor, "id">,
  response: AuthenticationResponseJSON,
  browser: Browser,
): Promise<Session> {
  return db.transaction(async (tx) => {
    const { userId } = await verifyPasskey(tx, config, response);
    if (userId !== actor.id) throw new Invalid({ "": "This passkey belongs to another account." });
    return openSession(tx, actor.id, browser);
  });
}

async function checkPassword(db: Database, email: string, password: string) {
  const [user] = await db
    .select({ id: users.id, passwordHash: accounts.password, roles: userRoles })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(isOwnerOf(email));
  const areImported = await hasImportedPasswords(db);
  const form = await findMatchingForm(user?.passwordHash ?? null, password, areImported);
  if (!user?.passwordHash || form === null) throw new Denied(wrongCredentials);
  if (!needsRehash(user.passwordHash, form)) return { ...user, passwordHash: user.passwordHash };
  const passwordHash = await replacePasswordHash(db, user.id, user.passwordHash, password);
  return { ...user, passwordHash };
}

/** Checks whether an imported account has never signed in. */
async function hasImportedPasswords(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ any: boolean }>(
    sql`select exists (select from ${accounts} where ${accounts.password} like '$2%') as any`,
  );
  return rows[0]!.any;
}

/**
 * Replaces the old hash of a password that was just verified. Of two concurrent sign-ins, the second uses the
 * hash of the first.
 *
 * @returns the account's current hash.
 */
async function replacePasswordHash(
  db: Database,
  userId: string,
  passwordHash: string,
  password: string,
): Promise<string> {
  const own = await hashPassword(password);
  const isOwn = and(eq(accounts.userId, userId), eq(accounts.password, passwordHash));
  const replaced = await db
    .update(accounts)
    .set({ password: own, updatedAt: now() })
    .where(isOwn)
    .returning({ id: accounts.id });
  if (replaced.length > 0) return own;
  const [account] = await db
    .select({ password: accounts.password })
    .from(accounts)
    .where(eq(accounts.userId, userId));
  const isSame = await verifyPassword(account?.password ?? null, password);
  if (!account?.password || !isSame) throw new Denied(wrongCredentials);
  return account.password;
}

/** A new password ends all sessions, including one that is being opened with the old password. */
async function requireUnchangedPassword(tx: Database, userId: string, passwordHash: string) {
  const [unchanged] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.password, passwordHash)))
    .for("share");
  if (!unchanged) throw new Denied(wrongCredentials);
}

const buildSignInLimit = (name: string, max: number): RateLimit => ({
  name: `sign-in-${name}`,
  max,
  windowMs: 15 * minute,
});
const signInByClient = buildSignInLimit("client", 50);
const signInByPair = buildSignInLimit("pair", 10);
/** Shared by all devices that the account doesn't know, so that many networks guess no faster. */
const signInByStrangers = buildSignInLimit("strangers", 60);
const signInByDevice = buildSignInLimit("device", 10);
/** Includes correct passwords, because hashing each one takes time. */
const anySignIn = buildSignInLimit("any", 1000);
export const passkeyByClient: RateLimit = {
  name: "passkey-client",
  max: 60,
  windowMs: 15 * minute,
};

/**
 * Counts one attempt to sign in. A known device has its own count, so that guesses made elsewhere don't lock
 * its owner out.
 *
 * @param from.device the signature of a known device; null for any other
 * @returns a function that removes the attempt after a correct password, so that people who share a network
 * don't use up each other's attempts.
 * @throws {TooMany} above the limit.
 */
export async function countSignInTry(
  counting: Counting,
  email: string,
  { clientAddress, device }: { clientAddress: string; device: string | null },
): Promise<() => Promise<void>> {
  const { own } = listNetworks(clientAddress);
  await countTry(counting, anySignIn, device ?? own);
  const guesses: [RateLimit, string][] = device
    ? [[signInByDevice, device]]
    : [
        ...listLimits(signInByClient, clientAddress),
        [signInByPair, `${own} ${email}`],
        [signInByStrangers, email],
      ];
  const counted: typeof guesses = [];
  const uncount = async () => {
    for (const [limit, subject] of counted) await releaseTry(counting, limit, subject);
  };
  try {
    for (const guess of guesses) {
      await countTry(counting, ...guess);
      counted.push(guess);
    }
  } catch (error) {
    // An attempt that another limit refused is not a guess, so it does not count for the network or the
    // account.
    if (error instanceof TooMany) await uncount();
    throw error;
  }
  return uncount;
}

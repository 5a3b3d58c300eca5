import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { day, minute, now, second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Cookie, readCookie, setCookie } from "../../platform/cookies.ts";
import type { Database } from "../../platform/database.server.ts";
import { Denied } from "../../platform/errors.ts";
import {
  countClientTry,
  type Counting,
  countTry,
  networksOf,
  type RateLimit,
} from "../../platform/rate-limit.server.ts";
import { hashPassword, isImported, isWholeInBcrypt, passwordMatches } from "../passwords.server.ts";
import { roleFlags, type RoleFlags } from "../roles.ts";
import { wrongCredentials } from "../rules.ts";
import { type Browser, heldRoles, openSession, type Session } from "../session.server.ts";
import { accounts, users } from "../tables.server.ts";

/**
 * Checks a password and opens a session. That an address is unconfirmed or banned is said only to who
 * knows the password; that nobody has it, in the same words and time as a wrong one.
 *
 * @param email in lower case
 * @throws {Denied} with the message to show.
 */
export async function signIn(
  db: Database,
  { email, password }: { email: string; password: string },
  browser: Browser = {},
): Promise<{ session: Session; roles: RoleFlags }> {
  const [user] = await db
    .select({ id: users.id, passwordHash: accounts.password, roles: heldRoles })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(eq(users.email, email));
  const areImported = await anyImported(db);
  const isRight = await passwordMatches(user?.passwordHash ?? null, password, areImported);
  if (!user?.passwordHash || !isRight) throw new Denied(wrongCredentials);

  const { id, roles } = user;
  const passwordHash = await hashAnew(db, id, user.passwordHash, password);
  return db.transaction(async (tx) => {
    const session = await openSession(tx, id, browser);
    await refuseReplaced(tx, id, passwordHash);
    return { session, roles: roleFlags(roles) };
  });
}

/** Whether anybody who was brought in has not signed in yet. */
async function anyImported(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ any: boolean }>(
    sql`select exists (select from ${accounts} where ${accounts.password} like '$2%') as any`,
  );
  return rows[0]!.any;
}

/**
 * Gives an imported password, which has just proved right, a hash of ours. Of two sign-ins at once the
 * second finds the first one's.
 *
 * @returns the hash that the account has now.
 */
async function hashAnew(
  db: Database,
  userId: string,
  passwordHash: string,
  password: string,
): Promise<string> {
  if (!isImported(passwordHash) || !isWholeInBcrypt(password)) return passwordHash;
  const own = await hashPassword(password);
  const isOwn = and(eq(accounts.userId, userId), eq(accounts.password, passwordHash));
  const replaced = await db
    .update(accounts)
    .set({ password: own, updatedAt: now() })
    .where(isOwn)
    .returning({ id: accounts.id });
  if (replaced.length > 0) return own;
  const [found] = await db
    .select({ password: accounts.password })
    .from(accounts)
    .where(eq(accounts.userId, userId));
  const isSame = await passwordMatches(found?.password ?? null, password);
  if (!found?.password || !isSame) throw new Denied(wrongCredentials);
  return found.password;
}

/** A new password ends all sessions; one that was being opened with the old password, too. */
async function refuseReplaced(tx: Database, userId: string, passwordHash: string): Promise<void> {
  const [same] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.password, passwordHash)))
    .for("share");
  if (!same) throw new Denied(wrongCredentials);
}

const signInBy = (name: string, max: number): RateLimit => ({
  name: `sign-in-${name}`,
  max,
  windowMs: 15 * minute,
});
const signInByClient = signInBy("client", 50);
const signInByPair = signInBy("pair", 10);
/** All devices together that the account does not know: many networks guess no faster than this. */
const signInByStrangers = signInBy("strangers", 60);
const signInByDevice = signInBy("device", 10);

/**
 * Counts one try to sign in. A device that the account knows is counted by itself alone, so that no
 * guesses made elsewhere lock its owner out.
 *
 * @param from.device the mark of a known device; null for any other
 * @throws {TooMany} where it is one too many.
 */
export async function countSignIn(
  counting: Counting,
  email: string,
  from: { clientAddress: string; device: string | null },
): Promise<void> {
  if (from.device) return countTry(counting, signInByDevice, from.device);
  await countClientTry(counting, signInByClient, from.clientAddress);
  await countTry(counting, signInByPair, `${networksOf(from.clientAddress).own} ${email}`);
  await countTry(counting, signInByStrangers, email);
}

type Settings = Pick<Config, "origin" | "port" | "secret">;

/**
 * A device is known to an account that somebody has signed in to on it. Its cookie opens nothing; it
 * only keeps guesses made elsewhere from locking the owner out. It holds a random number and, for each
 * account, a mark that only we can make: no address can be read from it, and nothing is stored.
 */
const deviceCookie: Cookie = { name: "known-device", isOfPort: true };
const lifetime = 365 * day;
/** People who share a device. */
const mostAccounts = 5;

/** The mark by which this device is known to the account; null when it is not. */
export function knownDevice(
  settings: Settings,
  header: string | null,
  email: string,
): string | null {
  const { device, marks } = readDevice(settings, header);
  const mark = markOf(settings, device, email);
  return marks.some((one) => isSame(one, mark)) ? mark : null;
}

/** The `Set-Cookie` header that makes the device known to the account. */
export function rememberDevice(settings: Settings, header: string | null, email: string): string {
  const { device, marks } = readDevice(settings, header);
  const mark = markOf(settings, device, email);
  const others = marks.filter((one) => one !== mark).slice(0, mostAccounts - 1);
  const value = [device, mark, ...others].join(".");
  return setCookie(deviceCookie, value, lifetime / second, settings);
}

/** What the cookie says; a device without one gets a number of its own. */
function readDevice(
  settings: Settings,
  header: string | null,
): { device: string; marks: string[] } {
  const [device = "", ...marks] = (readCookie(deviceCookie, header, settings) ?? "").split(".");
  if (!/^[\w-]{22}$/.test(device)) return { device: newDevice(), marks: [] };
  return { device, marks: marks.slice(0, mostAccounts).filter((mark) => /^[\w-]{43}$/.test(mark)) };
}

function newDevice(): string {
  return randomBytes(16).toString("base64url");
}

function markOf({ secret }: Settings, device: string, email: string): string {
  return createHmac("sha256", secret)
    .update(`known-device\n${device}\n${email}`)
    .digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

import { randomBytes } from "node:crypto";
import { and, count, eq, isNotNull, isNull, lt, type SQL } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import type { AppContext } from "../../platform/app-context.server.ts";
import { day, minute, now, formatShortDate } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { type Counting, countTry, type RateLimit } from "../../platform/rate-limit.server.ts";
import { normalizeCode } from "../../platform/text/text.ts";
import type { Actor } from "../actor.server.ts";
import { authorize } from "../permissions.server.ts";
import { revokeUserSessions, hashToken, lockPerson } from "../session.server.ts";
import { authenticators, passkeys, recoveryCodes } from "../tables.server.ts";
import { recordFactorChange } from "../factor-changes.server.tsx";
import { sealSecret, unsealSecret } from "../factor-keys.server.ts";

type Site = Pick<AppContext, "db" | "config">;

/** The state of a person's authenticator app. */
type AuthenticatorState =
  | { state: "none" }
  /** `keyToType` is in groups of four; `qr` is the same key as an image URL. */
  | { state: "pending"; keyToType: string; qr: string }
  | { state: "on"; since: string; recoveryCodesLeft: number };

/** Returns the state of a person's authenticator app, with its secret only during setup. */
export async function getAuthenticator(
  { db, config }: Site,
  actor: Actor | null,
): Promise<AuthenticatorState> {
  authorize(actor, "factor.change");
  const [row] = await db.select().from(authenticators).where(eq(authenticators.userId, actor.id));
  if (!row) return { state: "none" };
  if (row.confirmedAt) {
    const [remaining] = await db
      .select({ codes: count() })
      .from(recoveryCodes)
      .where(eq(recoveryCodes.userId, actor.id));
    const since = formatShortDate(row.confirmedAt);
    return { state: "on", since, recoveryCodesLeft: remaining?.codes ?? 0 };
  }
  const secret = unsealSecret(config.secondFactorKeys, actor.id, row);
  const codes = buildTotp(secret, { issuer: config.product.name, label: actor.email });
  const svg = Buffer.from(renderSVG(codes.toString(), { border: 2 })).toString("base64");
  const keyToType = codes.secret.base32.match(/.{1,4}/g)!.join(" ");
  return { state: "pending", keyToType, qr: `data:image/svg+xml;base64,${svg}` };
}

/**
 * Starts the setup of an authenticator app with a new secret. Its first correct code completes the setup.
 *
 * @throws {Conflict} if one is already set up.
 */
export async function startAuthenticatorSetup(
  { db, config }: Site,
  actor: Actor | null,
): Promise<void> {
  authorize(actor, "factor.change");
  const secret = Buffer.from(new Secret({ size: 20 }).bytes);
  const sealed = { ...sealSecret(config.secondFactorKeys, actor.id, secret), createdAt: now() };
  const saved = await db
    .insert(authenticators)
    .values({ userId: actor.id, ...sealed })
    .onConflictDoUpdate({
      target: authenticators.userId,
      set: sealed,
      setWhere: isNull(authenticators.confirmedAt),
    })
    .returning({ userId: authenticators.userId });
  if (saved.length === 0) throw new Conflict("You already have an authenticator app.");
}

/**
 * Completes the setup of an authenticator app with its first code. Ends the person's other sessions, since
 * they were opened without it.
 *
 * @returns recovery codes, which are shown only once.
 * @throws {Invalid} if the code is wrong.
 */
export async function confirmAuthenticator(
  site: Site,
  actor: Actor | null,
  code: string,
): Promise<string[]> {
  authorize(actor, "factor.change");
  const { db, config } = site;
  await countCodeTry(site, actor.id);
  return db.transaction(async (tx) => {
    const digits = normalizeCode(code);
    await lockPerson(tx, actor.id);
    const isValid = await consumeAppCode(tx, config.secondFactorKeys, actor.id, digits, {
      first: true,
    });
    if (!isValid) throw new Invalid({ code: wrongCode });
    await revokeUserSessions(tx, actor.id, { but: actor.sessionId });
    await recordFactorChange(tx, config, actor, "factor.add");
    return createRecoveryCodes(tx, actor.id);
  });
}

/**
 * Replaces the recovery codes with new ones.
 *
 * @throws {Conflict} if there is no authenticator app.
 */
export async function replaceRecoveryCodes(
  { db, config }: Site,
  actor: Actor | null,
): Promise<string[]> {
  authorize(actor, "factor.change");
  return db.transaction(async (tx) => {
    await lockAuthenticator(tx, actor.id);
    await recordFactorChange(tx, config, actor, "factor.renew-codes");
    return createRecoveryCodes(tx, actor.id);
  });
}

/**
 * Removes the authenticator app and its recovery codes.
 *
 * @throws {Conflict} if there is none.
 */
export async function removeAuthenticator(
  { db, config }: Site,
  actor: Actor | null,
): Promise<void> {
  authorize(actor, "factor.change");
  await db.transaction(async (tx) => {
    await lockAuthenticator(tx, actor.id);
    await tx.delete(authenticators).where(eq(authenticators.userId, actor.id));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, actor.id));
    await recordFactorChange(tx, config, actor, "factor.remove");
  });
}

async function lockAuthenticator(tx: Database, userId: string): Promise<void> {
  await lockPerson(tx, userId);
  const [row] = await tx
    .select({ userId: authenticators.userId })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
  if (!row) throw new Conflict("You don't have an authenticator app.");
}

/** Returns a person's second factors. */
export async function getFactors(
  db: Database,
  userId: string,
): Promise<{ app: boolean; passkey: boolean }> {
  const [app] = await db
    .select({ userId: authenticators.userId })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
  const [passkey] = await db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .limit(1);
  return { app: app !== undefined, passkey: passkey !== undefined };
}

/**
 * Accepts a code from a person's app, or one of their recovery codes. Each works once, even in concurrent
 * requests.
 *
 * @returns the kind of code, or null if it is wrong or was already used.
 */
export async function consumeCode(
  tx: Database,
  keys: readonly string[],
  userId: string,
  typed: string,
): Promise<"app" | "recovery" | null> {
  const code = normalizeCode(typed);
  if (/^\d{6}$/.test(code)) return (await consumeAppCode(tx, keys, userId, code)) ? "app" : null;
  return (await consumeRecoveryCode(tx, userId, code)) ? "recovery" : null;
}

/**
 * Accepts a code from a person's app and records its time step, so that neither it nor an older code works
 * again.
 *
 * @param first true for the code that completes the setup
 */
async function consumeAppCode(
  tx: Database,
  keys: readonly string[],
  userId: string,
  code: string,
  { first = false } = {},
): Promise<boolean> {
  const { confirmedAt, lastStep } = authenticators;
  const own: SQL[] = [eq(authenticators.userId, userId)];
  own.push(first ? isNull(confirmedAt) : isNotNull(confirmedAt));
  const [row] = await tx
    .select()
    .from(authenticators)
    .where(and(...own));
  const step = row ? findCodeStep(unsealSecret(keys, userId, row), code) : null;
  if (!row || step === null) return false;
  const updated = await tx
    .update(authenticators)
    .set({ lastStep: step, ...(first && { confirmedAt: now() }) })
    // Compares the secret too, since another setup may have replaced it meanwhile.
    .where(and(...own, lt(lastStep, step), eq(authenticators.sealedSecret, row.sealedSecret)))
    .returning({ userId: authenticators.userId });
  return updated.length > 0;
}

function findCodeStep(secret: Buffer, code: string): number | null {
  const codes = buildTotp(secret);
  const timestamp = now().getTime();
  const delta = codes.validate({ token: code, timestamp, window: toleratedSteps });
  return delta === null ? null : codes.counter({ timestamp }) + delta;
}

/** Codes of the previous and next 30 seconds work too, because clocks differ. */
const toleratedSteps = 1;

/** Builds the code generator of an authenticator app. All apps support six digits, SHA-1 and 30 seconds. */
export function buildTotp(secret: Buffer, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) });
}

/** Crockford's Base32, which leaves out letters that look like digits. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const recoveryCodeCount = 10;

/** Replaces the recovery codes. Each has 80 random bits, so a plain hash is safe to store. */
async function createRecoveryCodes(tx: Database, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, generateRecoveryCode);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const createdAt = now();
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ codeHash: hashToken(code), userId, createdAt })));
  return codes.map((code) => code.match(/.{4}/g)!.join("-"));
}

function generateRecoveryCode(): string {
  return Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]).join("");
}

async function consumeRecoveryCode(tx: Database, userId: string, typed: string): Promise<boolean> {
  const code = typed.replaceAll("O", "0").replace(/[IL]/g, "1");
  const deleted = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.codeHash, hashToken(code)), eq(recoveryCodes.userId, userId)))
    .returning({ userId: recoveryCodes.userId });
  return deleted.length > 0;
}

export const wrongCode = "This code is wrong or was already used. Please try the next one.";

/**
 * Applies after the correct password. Three codes in a million are valid at a time, so with fifty guesses a
 * day one attacker in two hundred finds one within a month.
 */
const byQuarter: RateLimit = { name: "code", max: 10, windowMs: 15 * minute };
const byDay: RateLimit = { name: "code-day", max: 50, windowMs: day };

/**
 * Counts one attempt to enter a code for an account.
 *
 * @throws {TooMany} above the limit.
 */
export async function countCodeTry(counting: Counting, userId: string): Promise<void> {
  await countTry(counting, byQuarter, userId);
  await countTry(counting, byDay, userId);
}

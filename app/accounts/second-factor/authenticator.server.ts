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

/** The state of a person's second factor. */
type AuthenticatorState =
  | { state: "none" }
  /** `keyToType` in groups of four; `qr` the same as an image's address. */
  | { state: "begun"; keyToType: string; qr: string }
  | { state: "on"; since: string; recoveryCodesLeft: number };

/** Reads how a person's authenticator app stands, with its secret only while it is being set up. */
export async function getAuthenticator(
  { db, config }: Site,
  actor: Actor | null,
): Promise<AuthenticatorState> {
  authorize(actor, "factor.change");
  const [row] = await db.select().from(authenticators).where(eq(authenticators.userId, actor.id));
  if (!row) return { state: "none" };
  if (row.confirmedAt) {
    const [left] = await db
      .select({ codes: count() })
      .from(recoveryCodes)
      .where(eq(recoveryCodes.userId, actor.id));
    const since = formatShortDate(row.confirmedAt);
    return { state: "on", since, recoveryCodesLeft: left?.codes ?? 0 };
  }
  const secret = unsealSecret(config.secondFactorKeys, actor.id, row);
  const codes = buildTotp(secret, { issuer: config.product.name, label: actor.email });
  const svg = Buffer.from(renderSVG(codes.toString(), { border: 2 })).toString("base64");
  const keyToType = codes.secret.base32.match(/.{1,4}/g)!.join(" ");
  return { state: "begun", keyToType, qr: `data:image/svg+xml;base64,${svg}` };
}

/**
 * Begins to set up an authenticator app, with a new secret. It counts once its first code was right.
 *
 * @throws {Conflict} where one is set up.
 */
export async function startAuthenticatorSetup(
  { db, config }: Site,
  actor: Actor | null,
): Promise<void> {
  authorize(actor, "factor.change");
  const secret = Buffer.from(new Secret({ size: 20 }).bytes);
  const sealed = { ...sealSecret(config.secondFactorKeys, actor.id, secret), createdAt: now() };
  const begun = await db
    .insert(authenticators)
    .values({ userId: actor.id, ...sealed })
    .onConflictDoUpdate({
      target: authenticators.userId,
      set: sealed,
      setWhere: isNull(authenticators.confirmedAt),
    })
    .returning({ userId: authenticators.userId });
  if (begun.length === 0) throw new Conflict("You already have an authenticator app.");
}

/**
 * Completes the setup of an authenticator app by its first code. Other sessions of the person end, since they
 * were opened without it.
 *
 * @returns recovery codes, which are shown this once.
 * @throws {Invalid} where the code is not the app's.
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
    const isRight = await consumeAppCode(tx, config.secondFactorKeys, actor.id, digits, {
      first: true,
    });
    if (!isRight) throw new Invalid({ code: wrongCode });
    await revokeUserSessions(tx, actor.id, { but: actor.sessionId });
    await recordFactorChange(tx, config, actor, "factor.add");
    return createRecoveryCodes(tx, actor.id);
  });
}

/**
 * Makes new recovery codes; the old ones count no more.
 *
 * @throws {Conflict} where there is no authenticator app that they could stand in for.
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
 * Turns the authenticator app off, with its recovery codes.
 *
 * @throws {Conflict} where there is none.
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
 * Takes a code of a person's app, or one of their recovery codes: each counts once, also of two that are
 * sent at the same moment.
 *
 * @returns which it was, or null where it is not, or not any more, a code of theirs.
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
 * Takes a code of a person's app, whose half minute is noted: neither it nor an older one counts again.
 *
 * @param first the first code of an app that is being set up, which thereby counts
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
  const taken = await tx
    .update(authenticators)
    .set({ lastStep: step, ...(first && { confirmedAt: now() }) })
    // The same row: another set-up may have replaced its secret meanwhile.
    .where(and(...own, lt(lastStep, step), eq(authenticators.sealedSecret, row.sealedSecret)))
    .returning({ userId: authenticators.userId });
  return taken.length > 0;
}

function findCodeStep(secret: Buffer, code: string): number | null {
  const codes = buildTotp(secret);
  const timestamp = now().getTime();
  const delta = codes.validate({ token: code, timestamp, window: stepsBeside });
  return delta === null ? null : codes.counter({ timestamp }) + delta;
}

/** Codes of the half minutes beside the present one count too: clocks differ. */
const stepsBeside = 1;

/** Builds the codes of an authenticator app. Apps agree on six digits, SHA-1 and 30 seconds. */
export function buildTotp(secret: Buffer, of: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...of, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) });
}

/** Letters and digits that are not mistaken for each other. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const recoveryCodeCount = 10;

/** Makes recovery codes in place of older ones. 80 random bits each, so that a plain hash keeps them. */
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
  const taken = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.codeHash, hashToken(code)), eq(recoveryCodes.userId, userId)))
    .returning({ userId: recoveryCodes.userId });
  return taken.length > 0;
}

export const wrongCode = "This code is wrong or was already used. Please try the next one.";

/**
 * This limit applies after the correct password. Three codes in a million are valid at a time: with fifty
 * guesses a day, one attacker in two hundred finds one within a month.
 */
const byQuarter: RateLimit = { name: "code", max: 10, windowMs: 15 * minute };
const byDay: RateLimit = { name: "code-day", max: 50, windowMs: day };

/**
 * Counts one try of a code for an account.
 *
 * @throws {TooMany} where it is one too many.
 */
export async function countCodeTry(counting: Counting, userId: string): Promise<void> {
  await countTry(counting, byQuarter, userId);
  await countTry(counting, byDay, userId);
}

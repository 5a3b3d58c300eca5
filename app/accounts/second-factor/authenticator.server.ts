import { and, count, eq, isNotNull, isNull } from "drizzle-orm";
import { Secret } from "otpauth";
import { renderSVG } from "uqr";
import type { AppContext } from "../../platform/app-context.server.ts";
import { now, shortDate } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import type { Actor } from "../actor.server.ts";
import { authorize } from "../permissions.server.ts";
import { endSessionsOf, lockPerson } from "../session.server.ts";
import { authenticators, recoveryCodes } from "../tables.server.ts";
import { codesOf, countCode, makeRecoveryCodes, takeAppCode, wrongCode } from "./codes.server.ts";
import { seal, unseal } from "./factor-keys.server.ts";
import { noteFactorChange } from "./factor-changes.server.tsx";

type Site = Pick<AppContext, "db" | "config">;

/** How a person's second factor stands. */
export type AuthenticatorState =
  | { state: "none" }
  /** `keyToType` in groups of four; `qr` the same as an image's address. */
  | { state: "begun"; keyToType: string; qr: string }
  | { state: "on"; since: string; recoveryCodesLeft: number };

/** Reads how a person's authenticator app stands, with its secret only while it is being set up. */
export async function readAuthenticator(
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
    const since = shortDate(row.confirmedAt);
    return { state: "on", since, recoveryCodesLeft: left?.codes ?? 0 };
  }
  const secret = unseal(config.secondFactorKeys, actor.id, row);
  const codes = codesOf(secret, { issuer: config.product.name, label: actor.email });
  const svg = Buffer.from(renderSVG(codes.toString(), { border: 2 })).toString("base64");
  const keyToType = codes.secret.base32.match(/.{1,4}/g)!.join(" ");
  return { state: "begun", keyToType, qr: `data:image/svg+xml;base64,${svg}` };
}

/**
 * Begins to set up an authenticator app, with a new secret. It counts once its first code was right.
 *
 * @throws {Conflict} where one is set up.
 */
export async function beginAuthenticator({ db, config }: Site, actor: Actor | null): Promise<void> {
  authorize(actor, "factor.change");
  const secret = Buffer.from(new Secret({ size: 20 }).bytes);
  const sealed = { ...seal(config.secondFactorKeys, actor.id, secret), createdAt: now() };
  const begun = await db
    .insert(authenticators)
    .values({ userId: actor.id, ...sealed })
    .onConflictDoUpdate({
      target: authenticators.userId,
      set: sealed,
      setWhere: isNull(authenticators.confirmedAt),
    })
    .returning({ userId: authenticators.userId });
  if (begun.length === 0) throw new Conflict("You have an authenticator app already.");
}

/**
 * Sets up the authenticator app that was begun, by its first code. All other sessions of the person end:
 * they were opened without it.
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
  await countCode(site, actor.id);
  return db.transaction(async (tx) => {
    const digits = code.replace(/\s/g, "");
    await lockPerson(tx, actor.id);
    const isRight = await takeAppCode(tx, config.secondFactorKeys, actor.id, digits, {
      first: true,
    });
    if (!isRight) throw new Invalid({ code: wrongCode });
    await endSessionsOf(tx, actor.id, { but: actor.sessionId });
    await noteFactorChange(tx, config, actor, "factor.add");
    return makeRecoveryCodes(tx, actor.id);
  });
}

/**
 * Makes new recovery codes; the old ones count no more.
 *
 * @throws {Conflict} where there is no authenticator app that they could stand in for.
 */
export async function renewRecoveryCodes(
  { db, config }: Site,
  actor: Actor | null,
): Promise<string[]> {
  authorize(actor, "factor.change");
  return db.transaction(async (tx) => {
    await lockAuthenticator(tx, actor.id);
    await noteFactorChange(tx, config, actor, "factor.renew-codes");
    return makeRecoveryCodes(tx, actor.id);
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
    await noteFactorChange(tx, config, actor, "factor.remove");
  });
}

async function lockAuthenticator(tx: Database, userId: string): Promise<void> {
  await lockPerson(tx, userId);
  const [row] = await tx
    .select({ userId: authenticators.userId })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
  if (!row) throw new Conflict("You have no authenticator app.");
}

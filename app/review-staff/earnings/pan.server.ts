/** A reviewer's tax number (PAN). It is stored encrypted, and shown to admins one at a time. */
import { eq, ne, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { getKeyId, sealSecret, unsealSecret } from "../../accounts/factor-keys.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import { payouts, reviewerPans } from "./tables.server.ts";

type Site = Pick<AppContext, "db" | "config">;

/** Five letters, of which the fourth says the kind of taxpayer, then four digits and a letter. */
const panFormat = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/;

/** A PAN can't be decrypted as another person's, or as the secret of an authenticator app. */
const buildContext = (userId: string) => `pan:${userId}`;

/**
 * Stores the actor's PAN in place of an earlier one.
 *
 * @throws {Invalid} if it isn't a PAN.
 */
export async function savePan({ db, config }: Site, actor: Actor | null, typed: string) {
  authorize(actor, "earnings.own");
  const pan = typed.replace(/\s/g, "").toUpperCase();
  if (!panFormat.test(pan))
    throw new Invalid({ pan: "Enter the 10 characters of your PAN, such as ABCPD1234E" });
  const keys = config.secondFactorKeys;
  const { sealedSecret, keyId } = sealSecret(keys, buildContext(actor.id), Buffer.from(pan));
  const sealed = { sealedPan: sealedSecret, keyId, savedAt: now() };
  await db.transaction(async (tx) => {
    await tx
      .insert(reviewerPans)
      .values({ userId: actor.id, ...sealed })
      .onConflictDoUpdate({ target: reviewerPans.userId, set: sealed });
    const subject = { type: "user", id: actor.id };
    await recordAuditEvents(tx, [{ actor, event: "pan.save", subject }]);
  });
}

/** Finds when a person saved their PAN; null without one. Check permission before calling it. */
export async function findPanDate(db: Database, userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ savedAt: reviewerPans.savedAt })
    .from(reviewerPans)
    .where(eq(reviewerPans.userId, userId));
  return row?.savedAt ?? null;
}

/**
 * Returns a reviewer's PAN to an admin, and records that in the audit log.
 *
 * @throws {NotFound} without one.
 */
export async function getPan(
  { db, config }: Site,
  actor: Actor | null,
  userId: string,
): Promise<string> {
  authorize(actor, "pan.read");
  if (!isUuid(userId)) throw new NotFound();
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(reviewerPans).where(eq(reviewerPans.userId, userId));
    if (!row) throw new NotFound("This person has given no PAN");
    const subject = { type: "user", id: userId };
    await recordAuditEvents(tx, [{ actor, event: "pan.read", subject }]);
    return unsealPan(config.secondFactorKeys, row);
  });
}

function unsealPan(
  keys: readonly string[],
  { userId, sealedPan: sealedSecret, keyId }: typeof reviewerPans.$inferSelect,
): string {
  return unsealSecret(keys, buildContext(userId), { sealedSecret, keyId }).toString();
}

/** The years for which tax law requires the proofs of payments. */
const panRetentionYears = 8;

/**
 * Deletes each PAN whose person was last paid, and saved it, 8 years ago.
 *
 * @returns the number of deleted PANs
 */
export async function deleteOldPans(db: Database): Promise<number> {
  const { rowCount } = await db.delete(reviewerPans).where(sql`
    greatest(${reviewerPans.savedAt}, (
      select max(${payouts.paidOn})::timestamp at time zone 'Asia/Kolkata' from ${payouts}
      where ${payouts.reviewerId} = ${reviewerPans.userId}
    )) < ${now().toISOString()}::timestamptz - make_interval(years => ${panRetentionYears}::int)`);
  return rowCount ?? 0;
}

/**
 * Encrypts every PAN with the first key of the settings, so that the other keys can be removed.
 *
 * @returns the number of PANs that changed.
 * @throws {Error} if one needs a key that isn't in the settings.
 */
export async function reencryptPans({ db, config }: Site): Promise<number> {
  const keys = config.secondFactorKeys;
  return db.transaction(async (tx) => {
    const old = await tx
      .select()
      .from(reviewerPans)
      .where(ne(reviewerPans.keyId, getKeyId(keys[0]!)))
      .for("update");
    for (const row of old) {
      const pan = Buffer.from(unsealPan(keys, row));
      const { sealedSecret, keyId } = sealSecret(keys, buildContext(row.userId), pan);
      await tx
        .update(reviewerPans)
        .set({ sealedPan: sealedSecret, keyId })
        .where(eq(reviewerPans.userId, row.userId));
    }
    return old.length;
  });
}

import { randomUUID } from "node:crypto";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { and, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Denied, Invalid, NotFound } from "../../platform/errors.ts";
import type { Actor } from "../actor.server.ts";
import { ReversalAskedMail } from "../emails.tsx";
import { listStaff } from "../mail-choices/mail-choices.server.ts";
import { requestPasswordReset } from "../password-reset/reset-password.server.tsx";
import { verifyPasskey } from "../passkeys/passkeys.server.ts";
import { authorize } from "../permissions.server.ts";
import { consumeCode, countCodeTry, wrongCode } from "../second-factor/authenticator.server.ts";
import { hashToken, lockPerson, revokeUserSessions } from "../session.server.ts";
import {
  accounts,
  addressChanges,
  authenticators,
  passkeys,
  recoveryCodes,
  staffRoles,
} from "../tables.server.ts";
import { moveAccount } from "./details.server.tsx";
import { addressMessages, reversibleFor } from "./rules.ts";

type Site = Pick<AppContext, "db" | "config">;
type Change = typeof addressChanges.$inferSelect;

/** The proof that an account with a second factor asks for. */
type Proof = { code: string } | { response: AuthenticationResponseJSON } | null;

/**
 * Reads a link to an earlier address, without using it.
 *
 * @returns the address, the factors of which one is needed, and if another admin has to agree; null for an invalid link
 */
export async function findReversal(db: Database, token: string) {
  const change = await findChange(db, token);
  if (!change) return null;
  const { app, passkey } = await getEarlierFactors(db, change);
  return {
    email: change.oldEmail,
    app,
    passkey,
    isStaff: await isStaff(db, change.userId),
    isAsked: change.reversalAskedAt !== null,
  };
}

/**
 * Gives an account back to its earlier address: everyone is signed out, the password stops working, factors that are newer
 * than the change are removed, and the address gets a link for a new password. An account of staff is locked, and another
 * god admin gives it back.
 *
 * @returns what happened; null for an invalid link
 * @throws {Invalid} without the second factor that the account had before the change.
 * @throws {Conflict} if another account has the address by now.
 * @throws {TooMany} after too many codes.
 */
export async function reverseAddressChange(
  site: Site,
  token: string,
  proof: Proof,
): Promise<"reversed" | "asked" | null> {
  const { db, config } = site;
  const candidate = await findChange(db, token);
  if (!candidate) return null;
  if (proof && "code" in proof) await countCodeTry(site, candidate.userId);
  return db.transaction(async (tx) => {
    await lockPerson(tx, candidate.userId);
    const change = await findChange(tx, token);
    if (!change) return null;
    await requireEarlierFactor(tx, site, change, proof);
    if (!(await isStaff(tx, change.userId))) {
      await restoreAddress(tx, site, change, null);
      return "reversed";
    }
    if (change.reversalAskedAt) return "asked";
    await tx
      .update(addressChanges)
      .set({ reversalAskedAt: now() })
      .where(eq(addressChanges.id, change.id));
    await lockOut(tx, change);
    for (const admin of await listStaff(tx, "god_admin")) {
      if (admin.id === change.userId) continue;
      await queueMail(tx, {
        cause: `reversal-asked:${randomUUID()}`,
        to: admin.email,
        subject: `A staff account of ${config.product.name} is locked`,
        body: (
          <ReversalAskedMail
            product={config.product}
            link={`${config.origin}/admin/users/${change.userId}/give-back`}
          />
        ),
      });
    }
    return "asked";
  });
}

/** Finds the earlier address that asks for an account of staff; null if none does. */
export async function findAskedReversal(
  db: Database,
  actor: Actor | null,
  userId: string,
): Promise<{ email: string } | null> {
  authorize(actor, "user.oversee");
  const change = await findAskedChange(db, userId);
  return change && { email: change.oldEmail };
}

/**
 * Gives an account of staff back to the earlier address that asked for it.
 *
 * @throws {Denied} for the actor's own account.
 * @throws {NotFound} if no earlier address asks for it.
 * @throws {Conflict} if another account has the address by now.
 */
export async function approveReversal(
  site: Site,
  actor: Actor | null,
  userId: string,
): Promise<void> {
  authorize(actor, "user.reverse-address");
  if (userId === actor.id) throw new Denied("Another god admin has to give your account back.");
  await site.db.transaction(async (tx) => {
    if (isUuid(userId)) await lockPerson(tx, userId);
    const change = await findAskedChange(tx, userId);
    if (!change) throw new NotFound("No earlier address asks for this account.");
    await restoreAddress(tx, site, change, actor);
  });
}

/** Moves an account to its earlier address, and voids this change and the later ones. */
async function restoreAddress(
  tx: Database,
  { config }: Site,
  change: Change,
  by: Actor | null,
): Promise<void> {
  const { userId, oldEmail, confirmedAt } = change;
  await lockOut(tx, change);
  const name = await moveAccount(tx, userId, oldEmail);
  await tx
    .delete(addressChanges)
    .where(and(eq(addressChanges.userId, userId), isNull(addressChanges.confirmedAt)));
  await tx
    .update(addressChanges)
    .set({ reversedAt: now() })
    .where(
      and(
        eq(addressChanges.userId, userId),
        sql`${addressChanges.confirmedAt} >= ${confirmedAt!.toISOString()}::timestamptz`,
      ),
    );
  await requestPasswordReset(tx, config, oldEmail);
  await recordAuditEvents(tx, [
    {
      actor: by ?? { id: userId, fullName: name },
      event: "user.reverse-address",
      subject: { type: "user", id: userId },
    },
  ]);
}

/** Signs everyone out of an account, and removes the password and what is newer than the change. */
async function lockOut(tx: Database, { userId, requestedAt }: Change): Promise<void> {
  await revokeUserSessions(tx, userId);
  await tx
    .update(accounts)
    .set({ password: null, updatedAt: now() })
    .where(eq(accounts.userId, userId));
  await tx
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), gt(passkeys.createdAt, requestedAt)));
  const removed = await tx
    .delete(authenticators)
    .where(and(eq(authenticators.userId, userId), gt(authenticators.createdAt, requestedAt)))
    .returning({ userId: authenticators.userId });
  if (removed.length > 0) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

async function requireEarlierFactor(
  tx: Database,
  { config }: Site,
  change: Change,
  proof: Proof,
): Promise<void> {
  const { app, passkey } = await getEarlierFactors(tx, change);
  if (!app && !passkey) return;
  if (proof && "code" in proof) {
    if (app && (await consumeCode(tx, config.secondFactorKeys, change.userId, proof.code))) return;
    throw new Invalid({ code: wrongCode });
  }
  if (proof && passkey) {
    const { userId } = await verifyPasskey(tx, config, proof.response);
    if (userId === change.userId) return;
  }
  throw new Invalid({ "": addressMessages.needsProof });
}

/** Finds the factors that an account had before a change. A thief's own factors prove nothing. */
async function getEarlierFactors(db: Database, { userId, requestedAt }: Change) {
  const isEarlier = sql`created_at <= ${requestedAt.toISOString()}::timestamptz`;
  const [app, passkey] = await Promise.all([
    db.$count(
      authenticators,
      and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt), isEarlier),
    ),
    db.$count(passkeys, and(eq(passkeys.userId, userId), isEarlier)),
  ]);
  return { app: app > 0, passkey: passkey > 0 };
}

async function findChange(db: Database, token: string): Promise<Change | null> {
  const earliest = new Date(now().getTime() - reversibleFor);
  const [change] = await db
    .select()
    .from(addressChanges)
    .where(
      and(
        eq(addressChanges.reverseHash, hashToken(token)),
        gt(addressChanges.confirmedAt, earliest),
        isNull(addressChanges.reversedAt),
      ),
    );
  return change ?? null;
}

async function findAskedChange(db: Database, userId: string): Promise<Change | null> {
  if (!isUuid(userId)) return null;
  const [change] = await db
    .select()
    .from(addressChanges)
    .where(
      and(
        eq(addressChanges.userId, userId),
        isNotNull(addressChanges.reversalAskedAt),
        isNull(addressChanges.reversedAt),
      ),
    )
    .orderBy(desc(addressChanges.confirmedAt))
    .limit(1);
  return change ?? null;
}

async function isStaff(db: Database, userId: string): Promise<boolean> {
  return (await db.$count(staffRoles, eq(staffRoles.userId, userId))) > 0;
}

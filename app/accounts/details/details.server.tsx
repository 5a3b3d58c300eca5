import { randomUUID } from "node:crypto";
import { and, eq, gt, isNotNull, isNull, lt, not, or, type SQL } from "drizzle-orm";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { day, formatShortDateTime, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, deleteRowsInSteps } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { countTry, type RateLimit } from "../../platform/rate-limit.server.ts";
import type { Actor } from "../actor.server.ts";
import { AddressChangedMail, ConfirmNewAddressMail } from "../emails.tsx";
import { mailByAddress } from "../one-time-links.server.ts";
import { authorize } from "../permissions.server.ts";
import { isSealed } from "../sealed-accounts.server.ts";
import { generateToken, hashToken, lockPerson, revokeUserSessions } from "../session.server.ts";
import { queueAccountExistsMail } from "../sign-up/sign-up.server.tsx";
import { addressChanges, oneTimeLinks, profiles, users } from "../tables.server.ts";
import { addressMessages, confirmWithin, reversibleFor } from "./rules.ts";

/** Corrects the actor's own name. */
export async function changeOwnName(
  db: Database,
  actor: Actor | null,
  fullName: string,
): Promise<void> {
  authorize(actor, "account.correct");
  await db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    await tx.update(users).set({ name: fullName, updatedAt: now() }).where(eq(users.id, actor.id));
    await tx.update(profiles).set({ fullName }).where(eq(profiles.id, actor.id));
    await recordAuditEvents(tx, [
      { actor, event: "user.rename", subject: { type: "user", id: actor.id } },
    ]);
  });
}

/** Returns the actor's open request for another address, with the end of its link; null without one. */
export async function findAddressRequest(db: Database, actor: Pick<Actor, "id">) {
  const [request] = await db
    .select({ newEmail: addressChanges.newEmail, requestedAt: addressChanges.requestedAt })
    .from(addressChanges)
    .where(and(eq(addressChanges.userId, actor.id), isRequestOpen()));
  if (!request) return null;
  return {
    email: request.newEmail,
    until: formatShortDateTime(new Date(request.requestedAt.getTime() + confirmWithin)),
  };
}

/** Each request emails an address that may be another person's. */
const addressesByPerson: RateLimit = { name: "new-address", max: 10, windowMs: day };

/**
 * Emails a link to the new address of the actor, which replaces an earlier request. If the address has an account, its
 * owner gets an email that says so. The caller can't tell.
 *
 * @throws {Invalid} for their present address.
 * @throws {TooMany} above the limit of requests, or of emails to the new address.
 */
export async function requestAddressChange(
  db: Database,
  actor: Actor | null,
  config: Config,
  email: string,
): Promise<void> {
  authorize(actor, "account.correct");
  if (email === actor.email) throw new Invalid({ email: addressMessages.same });
  await countTry({ db, config }, addressesByPerson, actor.id);
  await countTry({ db, config }, mailByAddress, email);
  const token = generateToken();
  await db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    await tx
      .delete(addressChanges)
      .where(and(eq(addressChanges.userId, actor.id), isNull(addressChanges.confirmedAt)));
    await tx.insert(addressChanges).values({
      userId: actor.id,
      oldEmail: actor.email,
      newEmail: email,
      confirmHash: hashToken(token),
      requestedAt: now(),
    });
    if (await hasAccount(tx, email)) return queueAccountExistsMail(tx, config, email);
    await queueMail(tx, {
      cause: `new-address:${randomUUID()}`,
      to: email,
      subject: `Confirm your new email address for ${config.product.name}`,
      body: (
        <ConfirmNewAddressMail
          product={config.product}
          link={`${config.origin}/new-address/${token}`}
        />
      ),
    });
  });
}

/** Checks whether the link to a new address still works, without using it. @returns the new address, or null */
export async function findConfirmableAddress(db: Database, token: string): Promise<string | null> {
  const [change] = await db
    .select({ email: addressChanges.newEmail })
    .from(addressChanges)
    .where(and(eq(addressChanges.confirmHash, hashToken(token)), isRequestOpen()));
  return change?.email ?? null;
}

/**
 * Gives an account its new address, signs its owner out everywhere, and tells both addresses.
 *
 * @returns the new address; null if the link is invalid, and nothing changes
 * @throws {Conflict} if another account has the address by now.
 */
export async function confirmAddressChange(
  db: Database,
  config: Config,
  token: string,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const isAsked = and(eq(addressChanges.confirmHash, hashToken(token)), isRequestOpen());
    const [candidate] = await tx
      .select({ userId: addressChanges.userId })
      .from(addressChanges)
      .where(isAsked);
    if (!candidate) return null;
    await lockPerson(tx, candidate.userId);
    const [change] = await tx.select().from(addressChanges).where(isAsked).for("update");
    if (!change) return null;
    const { id, userId, oldEmail, newEmail } = change;
    const name = await moveAccount(tx, userId, newEmail);
    // An address to which email bounced may belong to another person.
    const reversal = (await hasBounced(tx, oldEmail)) ? null : generateToken();
    const at = now();
    await tx
      .update(addressChanges)
      .set({ confirmedAt: at, reverseHash: reversal && hashToken(reversal) })
      .where(eq(addressChanges.id, id));
    await recordAuditEvents(tx, [
      {
        actor: { id: userId, fullName: name },
        event: "user.change-address",
        subject: { type: "user", id: userId },
      },
    ]);
    const until = formatShortDateTime(new Date(at.getTime() + reversibleFor));
    for (const to of [oldEmail, newEmail])
      await queueMail(tx, {
        cause: `address-changed:${randomUUID()}`,
        to,
        subject: `Your email address for ${config.product.name} was changed`,
        body: (
          <AddressChangedMail
            product={config.product}
            reversal={
              reversal && to === oldEmail
                ? { link: `${config.origin}/earlier-address/${reversal}`, until }
                : null
            }
          />
        ),
      });
    return newEmail;
  });
}

/**
 * Gives an account another address, and ends its sessions and the links that were mailed to the earlier one. An unconfirmed
 * sign-up with the address makes room.
 *
 * @returns the name of its owner
 * @throws {Conflict} if another account has the address.
 */
export async function moveAccount(tx: Database, userId: string, email: string): Promise<string> {
  await tx.delete(users).where(and(eq(users.email, email), not(users.emailVerified)));
  if (await hasAccount(tx, email)) throw new Conflict(addressMessages.taken);
  const [user] = await tx
    .update(users)
    .set({ email, emailVerified: true, updatedAt: now() })
    .where(eq(users.id, userId))
    .returning({ name: users.name });
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId));
  await revokeUserSessions(tx, userId);
  return user!.name;
}

async function hasAccount(tx: Database, email: string): Promise<boolean> {
  const isTheirs = and(eq(users.email, email), users.emailVerified);
  return (await tx.$count(users, isTheirs)) > 0 || isSealed(tx, email);
}

async function hasBounced(tx: Database, email: string): Promise<boolean> {
  const isGivenUp = and(isNotNull(mails.givenUpAt), isNull(mails.droppedAt));
  return (await tx.$count(mails, and(eq(mails.recipient, email), isGivenUp))) > 0;
}

/** Matches requests whose link still works. */
function isRequestOpen(): SQL | undefined {
  const earliest = new Date(now().getTime() - confirmWithin);
  return and(isNull(addressChanges.confirmedAt), gt(addressChanges.requestedAt, earliest));
}

/** Deletes requests and changes whose links no longer work. @returns how many */
export function deleteExpiredAddressChanges(db: Database): Promise<number> {
  const before = (age: number) => new Date(now().getTime() - age);
  const isExpired = or(
    and(isNull(addressChanges.confirmedAt), lt(addressChanges.requestedAt, before(confirmWithin))),
    and(
      lt(addressChanges.confirmedAt, before(reversibleFor)),
      or(isNull(addressChanges.reversalAskedAt), isNotNull(addressChanges.reversedAt)),
    ),
  );
  return deleteRowsInSteps(db, addressChanges, addressChanges.id, isExpired);
}

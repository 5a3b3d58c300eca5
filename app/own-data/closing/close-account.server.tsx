import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { lockRoles } from "../../accounts/bans-and-roles.server.ts";
import { AccountClosedMail } from "../../accounts/emails.tsx";
import { authorize } from "../../accounts/permissions.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { requireTicketOf } from "../require-ticket.server.ts";
import {
  type ClosingSettings,
  closeAndSeal,
  getOpenAccount,
  isGodAdmin,
} from "./end-account.server.ts";
import { messages } from "./rules.ts";

/**
 * Closes the actor's own account. It is sealed, and purged two weeks later unless they sign in.
 *
 * @returns the time of the purge
 * @throws {Conflict} while something has to be finished first, or if it is closed already
 */
export async function closeOwnAccount(
  db: Database,
  actor: Actor | null,
  config: ClosingSettings,
): Promise<Date> {
  authorize(actor, "account.close");
  return db.transaction((tx) =>
    closeAccount(tx, config, actor.id, { closer: actor, reason: null }),
  );
}

/**
 * Closes the account of a person who asked for it in a message to us.
 *
 * @param closing.ticket of that message
 * @param closing.reason goes into the email and the history
 * @throws {NotFound} if there is no such person
 * @throws {Invalid} without a message of theirs
 * @throws {Conflict} for one's own account and a god admin's, and as when closing one's own
 */
export async function closeAccountFor(
  db: Database,
  actor: Actor | null,
  { userId, ticket, reason }: { userId: string; ticket: string; reason: string },
  config: ClosingSettings,
): Promise<Date> {
  authorize(actor, "account.close-for");
  if (userId === actor.id) throw new Conflict(messages.ownAccount);
  return db.transaction(async (tx) => {
    await lockRoles(tx);
    const person = await getOpenAccount(tx, userId);
    if (await isGodAdmin(tx, userId)) throw new Conflict(messages.godAdmin);
    const number = await requireTicketOf(tx, person, ticket);
    return closeAccount(tx, config, userId, { closer: actor, reason, ticket: number });
  });
}

/** The same for the operator, by address. @throws {Invalid} if no account has the address */
export async function closeAccountByAddress(
  db: Database,
  email: string,
  reason: string,
  config: ClosingSettings,
): Promise<Date> {
  return db.transaction(async (tx) => {
    const isTheirs = eq(users.email, normalizeEmail(email));
    const [user] = await tx.select({ id: users.id }).from(users).where(isTheirs);
    if (!user) throw new Invalid({ email: `No account has the address ${email}.` });
    return closeAccount(tx, config, user.id, { closer: "operator", reason });
  });
}

/** Closes an account that nobody uses, in the caller's transaction. @throws {Conflict} while something has to be finished */
export async function closeUnusedAccount(
  tx: Database,
  config: ClosingSettings & Pick<Config, "eraseAfterMonths">,
  userId: string,
): Promise<void> {
  const reason = `nobody used it for ${config.eraseAfterMonths} months.`;
  await closeAccount(tx, config, userId, { closer: "operator", reason });
}

/**
 * Returns a person whose account this admin may close.
 *
 * @throws {NotFound} for anyone else: themselves, god admins, and people without an open account
 */
export async function getPersonToClose(db: Database, actor: Actor | null, userId: string) {
  authorize(actor, "account.close-for");
  const person = await getOpenAccount(db, userId).catch(() => null);
  if (!person || userId === actor.id || (await isGodAdmin(db, userId)))
    throw new NotFound("User not found");
  return person;
}

/** Ends the account, and emails the person the date. */
async function closeAccount(
  tx: Database,
  config: ClosingSettings,
  userId: string,
  closing: Parameters<typeof closeAndSeal>[3],
): Promise<Date> {
  const { email, purgeAt } = await closeAndSeal(tx, config, userId, closing);
  await queueMail(tx, {
    cause: `account-closed:${userId}:${purgeAt.getTime()}`,
    to: email,
    replyTo: config.product.supportEmail,
    subject: `Your ${config.product.name} account is closed`,
    body: (
      <AccountClosedMail
        product={config.product}
        origin={config.origin}
        at={formatShortDateTime(purgeAt)}
        reason={closing.reason}
      />
    ),
  });
  return purgeAt;
}

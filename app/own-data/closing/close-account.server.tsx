import { and, asc, eq, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { hasOtherGodAdmin, lockRoles } from "../../accounts/bans-and-roles.server.ts";
import { withdrawConsent } from "../../accounts/consents/consents.server.ts";
import { AccountClosedMail } from "../../accounts/emails.tsx";
import { authorize } from "../../accounts/permissions.server.ts";
import { hideAccount } from "../../accounts/sealed-accounts.server.ts";
import { revokeUserSessions } from "../../accounts/session.server.ts";
import { oneTimeLinks, staffRoles, users } from "../../accounts/tables.server.ts";
import { closeOwnShares } from "../../annotations/share/shares.server.ts";
import { clearContactOf } from "../../checks/question/own-contact.server.ts";
import { lockCompany } from "../../companies/own-companies.server.ts";
import { companies, companyMembers } from "../../companies/tables.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { closedDomain } from "../../mail/rules.ts";
import { mails } from "../../mail/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { type AuditEvent, recordAuditEvents } from "../../platform/audit.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { formatShortDateTime, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { unassignReviewsOf } from "../../review-staff/assign/assign-reviews.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { stopAlertsOf } from "../../seekers/alerts/own-alerts.server.ts";
import { cancelSubscription, getOwnSubscription } from "../../subscriptions/subscription.server.ts";
import { supportMessages } from "../../support/tables.server.ts";
import { messages } from "./rules.ts";

type ClosingSettings = Pick<Config, "origin" | "product" | "secrets">;

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
    const isTheirs = and(
      eq(supportMessages.ticket, ticket),
      or(eq(supportMessages.senderId, userId), eq(supportMessages.email, person.email)),
    );
    if ((await tx.$count(supportMessages, isTheirs)) === 0)
      throw new Invalid({ ticket: messages.noTicket });
    return closeAccount(tx, config, userId, { closer: actor, reason, ticket });
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

async function getOpenAccount(tx: Database, userId: string) {
  const [user] = isUuid(userId) ? await tx.select().from(users).where(eq(users.id, userId)) : [];
  if (!user) throw new NotFound("User not found");
  if (user.closedAt) throw new Conflict(messages.closedAlready);
  return user;
}

type Closing = { closer: Actor | "operator"; reason: string | null; ticket?: string };

/** Locks in the order of all transactions: contacts, alerts, companies, reviews, and then the person. */
async function closeAccount(
  tx: Database,
  config: ClosingSettings,
  userId: string,
  { closer, reason, ticket }: Closing,
): Promise<Date> {
  await lockRoles(tx);
  const { email } = await getOpenAccount(tx, userId);
  await clearContactOf(tx, { email }, config);
  await stopAlertsOf(tx, { id: userId, email });
  await lockOwnCompanies(tx, userId);
  await lockOwnReviews(tx, userId);
  // Waits for payments that are being started or settled, which then are found below.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
  const person = await getOpenAccount(tx, userId);
  const [obstacle] = await listObstacles(tx, userId);
  if (obstacle) throw new Conflict(obstacle.text);

  const roles = await tx.delete(staffRoles).where(eq(staffRoles.userId, userId)).returning();
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId));
  await revokeUserSessions(tx, userId);
  await closeOwnShares(tx, userId);
  for (const purpose of ["share", "sample"] as const)
    await withdrawConsent(tx, { userId }, purpose);
  const author = closer === "operator" ? closer : { id: closer.id, fullName: closer.fullName };
  await cancelOwnSubscription(tx, { id: userId, fullName: person.name });
  await unassignReviewsOf(tx, author, userId);
  await deleteMemberships(tx, author, userId);
  const purgeAt = await hideAccount(tx, person);
  await hideSentMails(tx, person);
  await recordAuditEvents(tx, [
    {
      actor: author,
      event: "user.close",
      subject: { type: "user", id: userId },
      before: roles.length > 0 ? { roles: roles.map(({ role }) => role) } : null,
      after: { purgeAt, ...(ticket && { ticket }), ...(reason && { reason }) },
    },
  ]);
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
        reason={reason}
      />
    ),
  });
  return purgeAt;
}

async function lockOwnCompanies(tx: Database, userId: string): Promise<void> {
  const own = await tx
    .select({ id: companyMembers.companyId })
    .from(companyMembers)
    .where(eq(companyMembers.userId, userId))
    .orderBy(asc(companyMembers.companyId));
  for (const { id } of own) await lockCompany(tx, id);
}

async function lockOwnReviews(tx: Database, userId: string): Promise<void> {
  await tx
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .where(eq(serviceReviews.userId, userId))
    .orderBy(asc(serviceReviews.id))
    .for("no key update");
}

/** Something that has to be finished before an account can be closed. */
export type Obstacle = { kind: keyof typeof messages.obstacles; text: string };

/** Lists what the person has to finish before their account can be closed. */
export async function listObstacles(db: Database, userId: string): Promise<Obstacle[]> {
  const isPending = and(eq(orders.buyerId, userId), eq(orders.status, "pending"));
  const isOpen = and(
    eq(serviceReviews.userId, userId),
    ne(serviceReviews.status, "completed"),
    isNull(serviceReviews.withdrawnAt),
  );
  const applies: Record<Obstacle["kind"], boolean> = {
    payment: (await db.$count(orders, isPending)) > 0,
    reviews: (await db.$count(serviceReviews, isOpen)) > 0,
    companies: (await listOwnedAlone(db, userId)).some(({ others }) => others > 0),
    lastGodAdmin: (await isGodAdmin(db, userId)) && !(await hasOtherGodAdmin(db, userId)),
  };
  return (Object.keys(applies) as Obstacle["kind"][])
    .filter((kind) => applies[kind])
    .map((kind) => ({ kind, text: messages.obstacles[kind] }));
}

async function isGodAdmin(db: Database, userId: string): Promise<boolean> {
  const isRole = and(eq(staffRoles.userId, userId), eq(staffRoles.role, "god_admin"));
  return (await db.$count(staffRoles, isRole)) > 0;
}

/** Lists the companies that have no other owner, with the number of their other members. */
async function listOwnedAlone(
  db: Database,
  userId: string,
): Promise<{ id: string; others: number }[]> {
  const other = sql`from ${companyMembers} as other where other.company_id = ${companies.id}
    and other.user_id <> ${userId} and other.approved_at is not null`;
  return db
    .select({ id: companies.id, others: sql<number>`(select count(*)::int ${other})` })
    .from(companies)
    .innerJoin(companyMembers, eq(companyMembers.companyId, companies.id))
    .where(
      and(
        eq(companyMembers.userId, userId),
        eq(companyMembers.role, "owner"),
        isNotNull(companyMembers.approvedAt),
        sql`not exists (select 1 ${other} and other.role = 'owner')`,
      ),
    );
}

async function cancelOwnSubscription(
  tx: Database,
  person: { id: string; fullName: string },
): Promise<void> {
  const { subscriptionId } = await getOwnSubscription(tx, person);
  await cancelSubscription(tx, person, subscriptionId);
}

/** A company without members is hidden. Its listings stay on the board, as when an admin hides it. */
async function deleteMemberships(
  tx: Database,
  actor: AuditEvent["actor"],
  userId: string,
): Promise<void> {
  for (const { id } of await listOwnedAlone(tx, userId)) {
    const [hidden] = await tx
      .update(companies)
      .set({ state: "hidden", decidedBy: null, decidedAt: now() })
      .where(and(eq(companies.id, id), ne(companies.state, "hidden")))
      .returning({ id: companies.id });
    if (!hidden) continue;
    const subject = { type: "company", id };
    await recordAuditEvents(tx, [
      { actor, event: "company.hide", subject, after: { state: "hidden" } },
    ]);
  }
  const memberships = await tx
    .delete(companyMembers)
    .where(eq(companyMembers.userId, userId))
    .returning({ workEmail: companyMembers.workEmail });
  await deleteWorkEmails(
    tx,
    memberships.map(({ workEmail }) => workEmail),
  );
}

/** Work emails are gone at once, since memberships stay ended. */
async function deleteWorkEmails(tx: Database, workEmails: string[]): Promise<void> {
  if (workEmails.length === 0) return;
  await tx.delete(mails).where(and(inArray(mails.recipient, workEmails), isNotNull(mails.sentAt)));
  await tx
    .update(auditEvents)
    .set({ after: sql`${auditEvents.after} - 'workEmail'` })
    .where(
      and(
        eq(auditEvents.subjectType, "company"),
        inArray(sql`${auditEvents.after}->>'workEmail'`, workEmails),
      ),
    );
}

/** Admins see the recipients of emails. Those that aren't sent yet still have to arrive. */
async function hideSentMails(
  tx: Database,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await tx
    .update(mails)
    .set({ recipient: `${id}${closedDomain}` })
    .where(and(eq(mails.recipient, email), isNotNull(mails.sentAt)));
}

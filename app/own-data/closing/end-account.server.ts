import { and, asc, eq, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { hasOtherGodAdmin, lockRoles } from "../../accounts/bans-and-roles.server.ts";
import { withdrawConsent } from "../../accounts/consents/consents.server.ts";
import { hideAccount } from "../../accounts/sealed-accounts.server.ts";
import { revokeUserSessions } from "../../accounts/session.server.ts";
import { addressChanges, oneTimeLinks, staffRoles, users } from "../../accounts/tables.server.ts";
import { closeOwnShares } from "../../annotations/share/shares.server.ts";
import { clearContactOf } from "../../checks/question/own-contact.server.ts";
import { lockCompany } from "../../companies/own-companies.server.ts";
import { companies, companyMembers } from "../../companies/tables.server.ts";
import { closedDomain } from "../../mail/rules.ts";
import { mails } from "../../mail/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { type AuditEvent, recordAuditEvents } from "../../platform/audit.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { unassignReviewsOf } from "../../review-staff/assign/assign-reviews.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { stopAlertsOf } from "../../seekers/alerts/own-alerts.server.ts";
import { cancelSubscription, getOwnSubscription } from "../../subscriptions/subscription.server.ts";
import { dataExports } from "../export/tables.server.ts";
import { messages } from "./rules.ts";

type Closing = {
  closer: { id: string; fullName: string | null } | "operator";
  reason: string | null;
  ticket?: string;
  /** True after a restore, which asks nothing and waits for nothing. */
  isAgain?: boolean;
};

export type ClosingSettings = Pick<Config, "origin" | "product" | "secrets">;

/**
 * Ends everything that an account has and seals it, in the caller's transaction. The caller checks permission. Locks in the
 * order of all transactions: contacts, alerts, companies, reviews, and then the person.
 *
 * @returns the former address, and the time of the purge
 * @throws {NotFound} if there is no such account
 * @throws {Conflict} while something has to be finished first, or if it is closed already
 */
export async function closeAndSeal(
  tx: Database,
  config: ClosingSettings,
  userId: string,
  { closer, reason, ticket, isAgain = false }: Closing,
): Promise<{ email: string; purgeAt: Date }> {
  await lockRoles(tx);
  const { email } = await getOpenAccount(tx, userId);
  await clearContactOf(tx, { email }, config);
  await stopAlertsOf(tx, { id: userId, email });
  await lockOwnCompanies(tx, userId);
  await lockOwnReviews(tx, userId);
  // Waits for payments that are being started or settled, which then are found below.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
  const person = await getOpenAccount(tx, userId);
  const [obstacle] = isAgain ? [] : await listObstacles(tx, userId);
  if (obstacle) throw new Conflict(obstacle.text);

  const roles = await tx.delete(staffRoles).where(eq(staffRoles.userId, userId)).returning();
  for (const table of [oneTimeLinks, addressChanges, dataExports])
    await tx.delete(table).where(eq(table.userId, userId));
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
  return { email, purgeAt };
}

/**
 * @throws {NotFound} if there is no such account
 * @throws {Conflict} if it is closed
 */
export async function getOpenAccount(tx: Database, userId: string) {
  const [user] = isUuid(userId) ? await tx.select().from(users).where(eq(users.id, userId)) : [];
  if (!user) throw new NotFound("User not found");
  if (user.closedAt) throw new Conflict(messages.closedAlready);
  return user;
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

export async function isGodAdmin(db: Database, userId: string): Promise<boolean> {
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
  const alone = (await listOwnedAlone(tx, userId)).filter(({ others }) => others === 0);
  for (const { id } of alone) {
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

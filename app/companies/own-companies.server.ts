import { and, asc, eq, gt, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Actor } from "../accounts/actor.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { NotFound } from "../platform/errors.ts";
import { joinWithin, type MemberRole } from "./rules.ts";
import { companies, companyInvitations, companyMembers } from "./tables.server.ts";

/**
 * Matches rows of companies for which a person may post. The only rule for that: an approved membership, in a company that
 * isn't hidden.
 *
 * @param companyId the column with the company's id
 */
export function isMemberOf(actor: Pick<Actor, "id">, companyId: PgColumn): SQL {
  // Names of their own, since the column may be of these tables.
  return sql`exists (select 1 from ${companyMembers} as own_member join ${companies} as own_company
    on own_company.id = own_member.company_id and own_company.state <> 'hidden'
    where own_member.company_id = ${companyId} and own_member.user_id = ${actor.id}
      and own_member.approved_at is not null)`;
}

/**
 * Locks a company for which a person may post for the rest of the transaction, so that its limits and roles hold.
 *
 * @returns the person's role and work email there
 * @throws {NotFound} for any other company
 */
export async function lockOwnCompany(
  tx: Database,
  actor: Pick<Actor, "id">,
  companyId: string,
): Promise<{ role: MemberRole; workEmail: string; domain: string }> {
  if (isUuid(companyId)) {
    await lockCompany(tx, companyId);
    // After the lock, since a transaction that held it may have ended the membership.
    const [own] = await tx
      .select({
        role: companyMembers.role,
        workEmail: companyMembers.workEmail,
        domain: companies.domain,
      })
      .from(companyMembers)
      .innerJoin(companies, eq(companies.id, companyMembers.companyId))
      .where(
        and(
          eq(companyMembers.companyId, companyId),
          eq(companyMembers.userId, actor.id),
          isMemberOf(actor, companyMembers.companyId),
        ),
      );
    if (own) return own;
  }
  throw new NotFound("Company not found");
}

/** Locks a company before any of its rows, as the triggers of members do, so that no two transactions block each other. */
export async function lockCompany(tx: Database, companyId: string): Promise<void> {
  await tx
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for("no key update");
}

/** Records what a member did for a company. @param after without text that nobody has read */
export async function recordCompanyEvent(
  tx: Database,
  actor: Actor,
  event: string,
  companyId: string,
  after: Record<string, string> | null = null,
): Promise<void> {
  const subject = { type: "company", id: companyId };
  await recordAuditEvents(tx, [{ actor, event, subject, after }]);
}

/**
 * Counts the people who may post for a company and those who are invited.
 *
 * @param other a work email that isn't counted
 */
export async function countSeats(tx: Database, companyId: string, other = ""): Promise<number> {
  const isMember = and(
    eq(companyMembers.companyId, companyId),
    isNotNull(companyMembers.approvedAt),
  );
  const isInvited = and(
    eq(companyInvitations.companyId, companyId),
    isFreshInvitation(),
    ne(companyInvitations.workEmail, other),
  );
  return (
    (await tx.$count(companyMembers, isMember)) + (await tx.$count(companyInvitations, isInvited))
  );
}

/** Matches invitations whose link still works. */
export function isFreshInvitation(): SQL {
  return gt(companyInvitations.invitedAt, new Date(now().getTime() - joinWithin));
}

/** Lists the companies for which a person may post, by name. */
export async function listOwnCompanies(db: Database, actor: Pick<Actor, "id">) {
  return db
    .select({
      id: companies.id,
      name: companies.name,
      slug: companies.slug,
      domain: companies.domain,
      state: companies.state,
      role: companyMembers.role,
    })
    .from(companyMembers)
    .innerJoin(companies, eq(companies.id, companyMembers.companyId))
    .where(
      and(
        eq(companyMembers.userId, actor.id),
        isNotNull(companyMembers.approvedAt),
        ne(companies.state, "hidden"),
      ),
    )
    .orderBy(asc(sql`lower(${companies.name})`), asc(companies.id));
}

/** Lists a person's confirmed claims that wait for an admin, by the domain that they share with the company. */
export async function listOwnClaims(db: Database, actor: Pick<Actor, "id">) {
  return db
    .select({ id: companyMembers.id, domain: companies.domain })
    .from(companyMembers)
    .innerJoin(companies, eq(companies.id, companyMembers.companyId))
    .where(
      and(
        eq(companyMembers.userId, actor.id),
        isNotNull(companyMembers.confirmedAt),
        sql`${companyMembers.approvedAt} is null`,
      ),
    )
    .orderBy(asc(companyMembers.confirmedAt));
}

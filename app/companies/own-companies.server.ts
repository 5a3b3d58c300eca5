import { and, asc, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Actor } from "../accounts/actor.server.ts";
import type { Database } from "../platform/database.server.ts";
import { companies, companyMembers } from "./tables.server.ts";

/**
 * Matches rows of companies for which a person may post. The only rule for that: an approved membership, in a company that
 * isn't hidden.
 *
 * @param companyId the column with the company's id
 */
export function isMemberOf(actor: Pick<Actor, "id">, companyId: PgColumn): SQL {
  return sql`exists (select 1 from ${companyMembers} join ${companies}
    on ${companies.id} = ${companyMembers.companyId} and ${companies.state} <> 'hidden'
    where ${companyMembers.companyId} = ${companyId} and ${companyMembers.userId} = ${actor.id}
      and ${companyMembers.approvedAt} is not null)`;
}

/** Lists the companies for which a person may post, by name. */
export async function listOwnCompanies(db: Database, actor: Pick<Actor, "id">) {
  return db
    .select({
      id: companies.id,
      name: companies.name,
      slug: companies.slug,
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

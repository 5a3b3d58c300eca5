import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { buildOrder, countUpTo, readPageOrLast } from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { companiesByName, sortedName } from "../order.server.ts";
import { companies, companyMembers } from "../tables.server.ts";

/** Matches claims that wait for a decision. */
const isClaim = and(isNotNull(companyMembers.confirmedAt), isNull(companyMembers.approvedAt));

const rowsPerPage = 25;

/** Lists the claims that wait for a decision, oldest first. */
export async function listClaims(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
) {
  authorize(actor, "company.approve");
  // A claim is confirmed, but the column's type doesn't know that.
  const confirmedAt = companyMembers.confirmedAt as unknown as typeof companies.createdAt;
  const order = buildOrder("asc", { confirmedAt, id: companyMembers.id });
  return readPageOrLast(order, { cursor: after, size: rowsPerPage }, (part) =>
    db
      .select({
        id: companyMembers.id,
        confirmedAt,
        workEmail: companyMembers.workEmail,
        person: profiles.fullName,
        userId: companyMembers.userId,
        company: companies.name,
        domain: companies.domain,
        state: companies.state,
      })
      .from(companyMembers)
      .innerJoin(companies, eq(companies.id, companyMembers.companyId))
      .leftJoin(profiles, eq(profiles.id, companyMembers.userId))
      .where(and(isClaim, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

/** Counts the claims that wait, up to a thousand. */
export async function countClaims(db: Database, actor: Actor | null): Promise<Count> {
  authorize(actor, "company.approve");
  return countUpTo(db, companyMembers, isClaim);
}

/** Lists the companies with a confirmed work email, by name. */
export async function listAllCompanies(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
) {
  authorize(actor, "company.approve");
  return readPageOrLast(companiesByName, { cursor: after, size: rowsPerPage }, (part) =>
    db
      .select({
        id: companies.id,
        sortedName,
        name: companies.name,
        slug: companies.slug,
        website: companies.website,
        state: companies.state,
        confirmedAt: companies.confirmedAt,
        members: db.$count(
          companyMembers,
          and(eq(companyMembers.companyId, companies.id), isNotNull(companyMembers.approvedAt)),
        ),
      })
      .from(companies)
      .where(and(isNotNull(companies.confirmedAt), part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

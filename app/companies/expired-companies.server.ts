import { and, isNull, lt, not, sql } from "drizzle-orm";
import { now } from "../platform/clock.ts";
import { type Database, deleteRowsInSteps } from "../platform/database.server.ts";
import { isFreshInvitation } from "./own-companies.server.ts";
import { confirmWithin } from "./rules.ts";
import { companies, companyInvitations, companyMembers } from "./tables.server.ts";

/**
 * Deletes requests whose work email wasn't confirmed in time, the companies that only they named, and expired invitations.
 *
 * @returns the number of deleted rows
 */
export async function deleteUnconfirmedCompanies(db: Database): Promise<number> {
  const before = new Date(now().getTime() - confirmWithin);
  const requests = await deleteRowsInSteps(
    db,
    companyMembers,
    companyMembers.id,
    and(isNull(companyMembers.confirmedAt), lt(companyMembers.askedAt, before)),
  );
  // A new request for an older company keeps it.
  const hasNoRequest = sql`not exists (select 1 from ${companyMembers}
    where ${companyMembers.companyId} = ${companies.id})`;
  const unconfirmed = await deleteRowsInSteps(
    db,
    companies,
    companies.id,
    and(isNull(companies.confirmedAt), lt(companies.createdAt, before), hasNoRequest),
  );
  const invitations = await deleteRowsInSteps(
    db,
    companyInvitations,
    companyInvitations.id,
    not(isFreshInvitation()),
  );
  return requests + unconfirmed + invitations;
}

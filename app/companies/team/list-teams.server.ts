import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { isFreshInvitation, listOwnCompanies } from "../own-companies.server.ts";
import { companyInvitations, companyMembers } from "../tables.server.ts";

/** Lists the teams of the companies for which a person may post: members, the longest standing first, and invitations. */
export async function listTeams(db: Database, actor: Actor | null) {
  authorize(actor, "company.manage");
  const companies = await listOwnCompanies(db, actor);
  const ids = companies.map(({ id }) => id);
  const [members, invitations] = await Promise.all([
    listMembers(db, ids),
    db
      .select({
        id: companyInvitations.id,
        companyId: companyInvitations.companyId,
        workEmail: companyInvitations.workEmail,
        invitedAt: companyInvitations.invitedAt,
      })
      .from(companyInvitations)
      .where(and(inArray(companyInvitations.companyId, ids), isFreshInvitation()))
      .orderBy(asc(companyInvitations.invitedAt), asc(companyInvitations.id)),
  ]);
  return companies.map((company) => ({
    ...company,
    members: members
      .filter(({ companyId }) => companyId === company.id)
      .map(({ userId, ...member }) => ({ ...member, isSelf: userId === actor.id })),
    invitations: invitations.filter(({ companyId }) => companyId === company.id),
  }));
}

function listMembers(db: Database, companyIds: string[]) {
  return db
    .select({
      id: companyMembers.id,
      companyId: companyMembers.companyId,
      userId: companyMembers.userId,
      name: profiles.fullName,
      workEmail: companyMembers.workEmail,
      role: companyMembers.role,
      since: companyMembers.approvedAt,
    })
    .from(companyMembers)
    .leftJoin(profiles, eq(profiles.id, companyMembers.userId))
    .where(and(inArray(companyMembers.companyId, companyIds), isNotNull(companyMembers.approvedAt)))
    .orderBy(asc(companyMembers.approvedAt), asc(companyMembers.id));
}

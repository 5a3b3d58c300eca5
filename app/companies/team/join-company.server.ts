import { and, eq, isNotNull, isNull, ne } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { day, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { countNoun } from "../../platform/count-noun.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { parseSignedId, uuidLength } from "../../platform/signed-ids.server.ts";
import { countSeats, isFreshInvitation, lockCompany } from "../own-companies.server.ts";
import { joinWithin, maxMembers } from "../rules.ts";
import { companies, companyInvitations, companyMembers } from "../tables.server.ts";
import { joinLink } from "./change-team.server.tsx";

type Signing = Pick<Config, "secrets">;

export const invalidJoinLink = `This link isn't complete, it's more than ${countNoun(joinWithin / day, "day")} old, or the invitation was withdrawn.`;

/**
 * Finds the invitation that a mailed link leads to, for the person who opened it.
 *
 * @returns null for a link that we didn't sign, and for an expired, withdrawn or used one, except for the person who used it
 */
export async function findInvitation(
  db: Database,
  actor: Actor,
  config: Signing,
  token: string,
): Promise<{ domain: string; workEmail: string; isJoined: boolean } | null> {
  const invitation = await selectInvitation(db, actor, config, token);
  if (!invitation) return null;
  const { domain, workEmail, isJoined } = invitation;
  return { domain, workEmail, isJoined };
}

/**
 * Makes a person a member of the company that invited them. No admin decides, since an owner vouches for them. Joining
 * again changes nothing.
 *
 * @throws {SignedOut} for a visitor
 * @throws {NotFound} for an invalid, expired, withdrawn or used link
 * @throws {Conflict} for a person who is a member already, and for a full team
 */
export async function joinCompany(
  db: Database,
  actor: Actor | null,
  config: Signing,
  token: string,
): Promise<void> {
  authorize(actor, "company.manage");
  await db.transaction(async (tx) => {
    const opened = await selectInvitation(tx, actor, config, token);
    if (!opened) throw new NotFound(invalidJoinLink);
    await lockCompany(tx, opened.companyId);
    const invitation = await selectInvitation(tx, actor, config, token);
    if (!invitation) throw new NotFound(invalidJoinLink);
    if (invitation.isJoined) return;
    const { id, companyId, workEmail } = invitation;
    if ((await countSeats(tx, companyId, workEmail)) >= maxMembers)
      throw new Conflict(`This team has ${maxMembers} members and invitations already.`);
    await tx.delete(companyInvitations).where(eq(companyInvitations.id, id));
    const at = now();
    const membership = { id, workEmail, askedAt: at, confirmedAt: at, approvedAt: at };
    const joined = await tx
      .insert(companyMembers)
      .values({ ...membership, companyId, userId: actor.id, role: "member" })
      .onConflictDoUpdate({
        target: [companyMembers.companyId, companyMembers.userId],
        set: membership,
        // A claim that waits for an admin.
        setWhere: isNull(companyMembers.approvedAt),
      })
      .returning({ id: companyMembers.id });
    if (joined.length === 0) throw new Conflict("You're a member of this company already.");
    await recordAuditEvents(tx, [
      {
        actor,
        event: "company.join",
        subject: { type: "company", id: companyId },
        after: { workEmail },
      },
    ]);
  });
}

async function selectInvitation(db: Database, actor: Actor, config: Signing, token: string) {
  const id = parseSignedId(config, joinLink, token, uuidLength);
  if (id === null) return null;
  const isShown = ne(companies.state, "hidden");
  const [waiting] = await db
    .select({
      id: companyInvitations.id,
      companyId: companyInvitations.companyId,
      domain: companies.domain,
      workEmail: companyInvitations.workEmail,
    })
    .from(companyInvitations)
    .innerJoin(companies, eq(companies.id, companyInvitations.companyId))
    .where(and(eq(companyInvitations.id, id), isFreshInvitation(), isShown));
  if (waiting) return { ...waiting, isJoined: false };
  const [joined] = await db
    .select({
      id: companyMembers.id,
      companyId: companyMembers.companyId,
      domain: companies.domain,
      workEmail: companyMembers.workEmail,
    })
    .from(companyMembers)
    .innerJoin(companies, eq(companies.id, companyMembers.companyId))
    .where(
      and(
        eq(companyMembers.id, id),
        eq(companyMembers.userId, actor.id),
        isNotNull(companyMembers.approvedAt),
        isShown,
      ),
    );
  return joined ? { ...joined, isJoined: true } : null;
}

import { and, eq, isNotNull, ne, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { queueMailToTypedAddress } from "../../mail/typed-addresses.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Denied, Invalid, NotFound } from "../../platform/errors.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { buildSignedId } from "../../platform/signed-ids.server.ts";
import { InvitationMail } from "../emails.tsx";
import {
  buildWorkEmailField,
  type MembershipSettings,
} from "../membership/request-membership.server.tsx";
import { countSeats, lockOwnCompany, recordCompanyEvent } from "../own-companies.server.ts";
import { maxMembers } from "../rules.ts";
import { companyInvitations, companyMembers } from "../tables.server.ts";
import { findWorkEmailProblem } from "../work-email.server.ts";

const messages = {
  memberGone: "This person is no longer in your team.",
  invitationGone: "This invitation was accepted or withdrawn already, or it has expired.",
  isOwner: "This person is an owner already.",
  isMember: "A member of your team uses this address already.",
  full: `Your team has ${maxMembers} members and invitations. Remove one first.`,
} as const;

export const invitationForm = z.object({
  companyId: z.string(),
  workEmail: buildWorkEmailField("Enter a work email"),
});

/**
 * Invites a work email in the company's domain to post for it. Whether the address has an account makes no difference.
 * Inviting again sends the email again, at most once an hour.
 *
 * @throws {Denied} for a member who isn't an owner
 * @throws {NotFound} for another company
 * @throws {Invalid} for an address outside the company's domain
 * @throws {Conflict} for a full team, and for an address of a member
 */
export async function sendInvitation(
  db: Database,
  actor: Actor | null,
  config: MembershipSettings,
  { companyId, workEmail }: z.output<typeof invitationForm>,
): Promise<void> {
  authorize(actor, "company.manage");
  await db.transaction(async (tx) => {
    const { domain, workEmail: owner } = await lockAsOwner(tx, actor, companyId);
    const problem = findWorkEmailProblem(workEmail, domain);
    if (problem) throw new Invalid({ workEmail: problem });
    const isTaken = and(isMember(companyId), eq(companyMembers.workEmail, workEmail));
    if ((await tx.$count(companyMembers, isTaken)) > 0)
      throw new Invalid({ workEmail: messages.isMember });
    if ((await countSeats(tx, companyId, workEmail)) >= maxMembers)
      throw new Conflict(messages.full);
    const invitedAt = now();
    const invitation = { invitedBy: actor.id, invitedAt };
    const [invited] = await tx
      .insert(companyInvitations)
      .values({ companyId, workEmail, ...invitation })
      .onConflictDoUpdate({
        target: [companyInvitations.companyId, companyInvitations.workEmail],
        set: invitation,
        setWhere: sql`${companyInvitations.invitedAt} <= ${new Date(invitedAt.getTime() - hour)}`,
      })
      .returning({ id: companyInvitations.id });
    if (!invited) return;
    await recordCompanyEvent(tx, actor, "company.invite", companyId);
    await queueMailToTypedAddress(tx, ["work-email"], {
      cause: `work-email:${invited.id}:${Math.floor(invitedAt.getTime() / hour)}`,
      to: workEmail,
      subject: `Post jobs for ${domain}`,
      body: (
        <InvitationMail
          product={config.product}
          domain={domain}
          owner={owner}
          link={config.origin + buildJoinPath(config, invited.id)}
        />
      ),
    });
  });
}

/** The purpose of the signature in the link. */
export const joinLink = "company invitation";

/** Builds the path where an invited person joins a company. */
export function buildJoinPath(config: Pick<Config, "secrets">, id: string): OwnPath {
  return `/post/join/${buildSignedId(config, joinLink, id)}`;
}

/** A member or an invitation of a company. */
type InTeam = { companyId: string; id: string };

/**
 * Withdraws an invitation. Its link no longer works.
 *
 * @throws {Denied} for a member who isn't an owner
 * @throws {NotFound} for another company, and an invitation that is gone
 */
export async function withdrawInvitation(
  db: Database,
  actor: Actor | null,
  { companyId, id }: InTeam,
): Promise<void> {
  authorize(actor, "company.manage");
  await db.transaction(async (tx) => {
    await lockAsOwner(tx, actor, companyId);
    const { rowCount } = await tx
      .delete(companyInvitations)
      .where(
        and(eq(companyInvitations.companyId, companyId), matchesId(companyInvitations.id, id)),
      );
    if (!rowCount) throw new NotFound(messages.invitationGone);
    await recordCompanyEvent(tx, actor, "company.withdraw-invitation", companyId);
  });
}

/**
 * Removes another member. Their rights and invitations end at once; their drafts stay with the company.
 *
 * @throws {Denied} for a member who isn't an owner
 * @throws {NotFound} for another company, and a member who is gone
 */
export async function removeMember(
  db: Database,
  actor: Actor | null,
  { companyId, id }: InTeam,
): Promise<void> {
  authorize(actor, "company.manage");
  await db.transaction(async (tx) => {
    await lockAsOwner(tx, actor, companyId);
    const [member] = await tx
      .delete(companyMembers)
      .where(and(isOtherMember(actor, companyId), matchesId(companyMembers.id, id)))
      .returning({ workEmail: companyMembers.workEmail });
    if (!member) throw new NotFound(messages.memberGone);
    await recordCompanyEvent(tx, actor, "company.remove-member", companyId, member);
  });
}

/**
 * Makes a member an owner.
 *
 * @throws {Denied} for a member who isn't an owner
 * @throws {NotFound} for another company, and a member who is gone
 * @throws {Conflict} for an owner
 */
export async function assignOwner(
  db: Database,
  actor: Actor | null,
  { companyId, id }: InTeam,
): Promise<void> {
  authorize(actor, "company.manage");
  await db.transaction(async (tx) => {
    await lockAsOwner(tx, actor, companyId);
    const isThem = and(isOtherMember(actor, companyId), matchesId(companyMembers.id, id));
    const [member] = await tx
      .select({ role: companyMembers.role, workEmail: companyMembers.workEmail })
      .from(companyMembers)
      .where(isThem);
    if (!member) throw new NotFound(messages.memberGone);
    if (member.role === "owner") throw new Conflict(messages.isOwner);
    await tx.update(companyMembers).set({ role: "owner" }).where(isThem);
    await recordCompanyEvent(tx, actor, "company.make-owner", companyId, {
      workEmail: member.workEmail,
    });
  });
}

/**
 * Leaves a company. Rights end at once; drafts stay with the company. After the last owner, a trigger makes the member of
 * the longest standing an owner.
 *
 * @throws {NotFound} for a company for which the person doesn't post
 */
export async function revokeOwnMembership(
  db: Database,
  actor: Actor | null,
  companyId: string,
): Promise<void> {
  authorize(actor, "company.manage");
  await db.transaction(async (tx) => {
    await lockOwnCompany(tx, actor, companyId);
    await tx
      .delete(companyMembers)
      .where(and(isMember(companyId), eq(companyMembers.userId, actor.id)));
    await recordCompanyEvent(tx, actor, "company.leave", companyId);
  });
}

/** @throws {Denied} for a member who isn't an owner. @throws {NotFound} for another company */
async function lockAsOwner(tx: Database, actor: Actor, companyId: string) {
  const own = await lockOwnCompany(tx, actor, companyId);
  if (own.role !== "owner") throw new Denied("Only an owner can change the team.");
  return own;
}

function isMember(companyId: string) {
  return and(eq(companyMembers.companyId, companyId), isNotNull(companyMembers.approvedAt));
}

function isOtherMember(actor: Actor, companyId: string) {
  return and(isMember(companyId), ne(companyMembers.userId, actor.id));
}

function matchesId(column: typeof companyMembers.id | typeof companyInvitations.id, id: string) {
  return isUuid(id) ? eq(column, id) : sql`false`;
}

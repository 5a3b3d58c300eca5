import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { ClaimDecisionMail } from "../emails.tsx";
import { countSeats, lockCompany } from "../own-companies.server.ts";
import { type CompanyState, maxMembers } from "../rules.ts";
import { companies, companyMembers } from "../tables.server.ts";

export type DecisionSettings = Pick<Config, "product" | "origin">;

const messages = {
  notFound: "Company not found",
  claimGone: "This claim was decided already, or the person withdrew it.",
  tooMany: `This company has ${maxMembers} members and invitations already.`,
} as const;

/**
 * Lets a person post for a company that they claimed.
 *
 * @throws {Conflict} for a claim that doesn't wait, and for a company with ten members and invitations
 */
export async function approveClaim(
  db: Database,
  actor: Actor | null,
  memberId: string,
  config: DecisionSettings,
): Promise<void> {
  authorize(actor, "company.approve");
  await applyClaimDecision(db, actor, { memberId, reason: null }, config);
}

/**
 * Refuses a claim, and deletes it.
 *
 * @param decision.reason mailed to the person
 * @throws {Conflict} for a claim that doesn't wait
 */
export async function declineClaim(
  db: Database,
  actor: Actor | null,
  decision: { memberId: string; reason: string },
  config: DecisionSettings,
): Promise<void> {
  authorize(actor, "company.approve");
  await applyClaimDecision(db, actor, decision, config);
}

/** @param decision.reason null to approve */
async function applyClaimDecision(
  db: Database,
  actor: Actor,
  { memberId, reason }: { memberId: string; reason: string | null },
  config: DecisionSettings,
): Promise<void> {
  await db.transaction(async (tx) => {
    const claim = await lockClaim(tx, memberId);
    const isClaim = eq(companyMembers.id, claim.id);
    if (reason === null) {
      if ((await countSeats(tx, claim.companyId)) >= maxMembers)
        throw new Conflict(messages.tooMany);
      const role = (await hasOwner(tx, claim.companyId)) ? "member" : "owner";
      await tx.update(companyMembers).set({ role, approvedAt: now() }).where(isClaim);
    } else await tx.delete(companyMembers).where(isClaim);
    await recordAuditEvents(tx, [
      {
        actor,
        event: reason === null ? "company.approve-claim" : "company.decline-claim",
        subject: { type: "company", id: claim.companyId },
        after: { workEmail: claim.workEmail, ...(reason && { reason }) },
      },
    ]);
    await queueMail(tx, {
      cause: `company-claim-decision:${claim.id}`,
      to: claim.email,
      subject:
        reason === null ? `You can post jobs for ${claim.company}` : "Your request to post jobs",
      body: (
        <ClaimDecisionMail
          product={config.product}
          origin={config.origin}
          company={claim.company}
          domain={claim.domain}
          reason={reason}
        />
      ),
    });
  });
}

/** Locks a claim's company and the claim, so that concurrent decisions run one after the other. */
async function lockClaim(tx: Database, memberId: string) {
  const [claimed] = isUuid(memberId)
    ? await tx
        .select({ companyId: companyMembers.companyId })
        .from(companyMembers)
        .where(eq(companyMembers.id, memberId))
    : [];
  if (!claimed) throw new Conflict(messages.claimGone);
  await lockCompany(tx, claimed.companyId);
  const [claim] = await tx
    .select({
      id: companyMembers.id,
      companyId: companyMembers.companyId,
      workEmail: companyMembers.workEmail,
      company: companies.name,
      domain: companies.domain,
      email: users.email,
    })
    .from(companyMembers)
    .innerJoin(companies, eq(companies.id, companyMembers.companyId))
    .innerJoin(users, eq(users.id, companyMembers.userId))
    .where(
      and(
        eq(companyMembers.id, memberId),
        isNotNull(companyMembers.confirmedAt),
        isNull(companyMembers.approvedAt),
      ),
    )
    .for("update", { of: companyMembers });
  if (!claim) throw new Conflict(messages.claimGone);
  return claim;
}

async function hasOwner(tx: Database, companyId: string): Promise<boolean> {
  const isOwner = and(
    eq(companyMembers.companyId, companyId),
    eq(companyMembers.role, "owner"),
    isNotNull(companyMembers.approvedAt),
  );
  return (await tx.$count(companyMembers, isOwner)) > 0;
}

/**
 * Hides a company, or approves it again. A hidden company has no public page, and its members can't post. Its listings
 * stay on the board.
 *
 * @returns false if it is in that state already
 * @throws {NotFound} for a company that doesn't exist, or has no confirmed work email
 */
export async function setCompanyState(
  db: Database,
  actor: Actor | null,
  { companyId, state }: { companyId: string; state: Exclude<CompanyState, "new"> },
): Promise<boolean> {
  authorize(actor, "company.approve");
  if (!isUuid(companyId)) throw new NotFound(messages.notFound);
  const isCompany = and(eq(companies.id, companyId), isNotNull(companies.confirmedAt));
  return db.transaction(async (tx) => {
    const [company] = await tx
      .select({ state: companies.state })
      .from(companies)
      .where(isCompany)
      .for("no key update");
    if (!company) throw new NotFound(messages.notFound);
    if (company.state === state) return false;
    await tx
      .update(companies)
      .set({ state, decidedBy: actor.id, decidedAt: now() })
      .where(isCompany);
    await recordAuditEvents(tx, [
      {
        actor,
        event: state === "approved" ? "company.approve" : "company.hide",
        subject: { type: "company", id: companyId },
        before: { state: company.state },
        after: { state },
      },
    ]);
    return true;
  });
}

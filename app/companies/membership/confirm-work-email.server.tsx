import { and, eq, gt, isNotNull, or } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { hour, now } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { parseSignedId, uuidLength } from "../../platform/signed-ids.server.ts";
import { ClaimMail } from "../emails.tsx";
import { confirmWithin } from "../rules.ts";
import { companies, companyMembers } from "../tables.server.ts";
import { confirmLink, lockDomain, type MembershipSettings } from "./request-membership.server.tsx";

export const invalidConfirmLink = `This link isn't complete, it's more than ${countNoun(confirmWithin / hour, "hour")} old, or it belongs to another account.`;

/**
 * Finds the request that a mailed link leads to, for the person who made it.
 *
 * @returns null for a link that we didn't sign, an expired one, and for another person's
 */
export async function findMailedRequest(
  db: Database,
  actor: Actor,
  config: Pick<MembershipSettings, "secrets">,
  token: string,
) {
  const request = await selectRequest(db, actor, config, token);
  return (
    request && {
      workEmail: request.workEmail,
      domain: request.domain,
      isConfirmed: request.confirmedAt !== null,
      isApproved: request.approvedAt !== null,
    }
  );
}

/**
 * Confirms a person's work email. The first at a domain owns its company. Everyone after them claims an existing company,
 * and waits for an admin. Confirming again changes nothing.
 *
 * @returns false if the person has to wait
 * @throws {SignedOut} for a visitor
 * @throws {NotFound} for an invalid or expired link, and for another person's
 */
export async function confirmWorkEmail(
  db: Database,
  actor: Actor | null,
  config: MembershipSettings,
  token: string,
): Promise<boolean> {
  authorize(actor, "company.manage");
  return db.transaction(async (tx) => {
    const mailed = await selectRequest(tx, actor, config, token);
    if (!mailed) throw new NotFound(invalidConfirmLink);
    await lockDomain(tx, mailed.domain);
    const request = await selectRequest(tx, actor, config, token);
    if (!request) throw new NotFound(invalidConfirmLink);
    if (request.confirmedAt) return request.approvedAt !== null;
    const [owned] = await tx
      .select({ id: companies.id })
      .from(companies)
      .where(and(eq(companies.domain, request.domain), isNotNull(companies.confirmedAt)));
    const at = now();
    if (!owned) {
      await tx
        .update(companies)
        .set({ confirmedAt: at })
        .where(eq(companies.id, request.companyId));
      await setConfirmed(tx, request.id, { confirmedAt: at, approvedAt: at });
    } else {
      await claimCompany(tx, request, owned.id, at);
      await notifyOwnersLater(tx, config, { companyId: owned.id, claim: request, actor });
    }
    await recordAuditEvents(tx, [
      {
        actor,
        event: owned ? "company.claim" : "company.add",
        subject: { type: "company", id: owned?.id ?? request.companyId },
        after: { workEmail: request.workEmail },
      },
    ]);
    return !owned;
  });
}

type Request = NonNullable<Awaited<ReturnType<typeof selectRequest>>>;

/** Moves a request to the company that another person confirmed first, and removes the one that it made. */
async function claimCompany(tx: Database, request: Request, companyId: string, at: Date) {
  if (request.companyId !== companyId) {
    await tx
      .delete(companyMembers)
      .where(
        and(eq(companyMembers.companyId, companyId), eq(companyMembers.userId, request.userId)),
      );
    await setConfirmed(tx, request.id, { companyId, role: "member", confirmedAt: at });
    await tx.delete(companies).where(eq(companies.id, request.companyId));
  } else await setConfirmed(tx, request.id, { confirmedAt: at });
}

async function setConfirmed(
  tx: Database,
  id: string,
  columns: Partial<typeof companyMembers.$inferInsert>,
): Promise<void> {
  await tx.update(companyMembers).set(columns).where(eq(companyMembers.id, id));
}

async function selectRequest(
  db: Database,
  actor: Actor,
  config: Pick<MembershipSettings, "secrets">,
  token: string,
) {
  const id = parseSignedId(config, confirmLink, token, uuidLength);
  if (id === null) return null;
  const isFresh = gt(companyMembers.askedAt, new Date(now().getTime() - confirmWithin));
  const [request] = await db
    .select({
      id: companyMembers.id,
      userId: companyMembers.userId,
      companyId: companyMembers.companyId,
      workEmail: companyMembers.workEmail,
      confirmedAt: companyMembers.confirmedAt,
      approvedAt: companyMembers.approvedAt,
      domain: companies.domain,
    })
    .from(companyMembers)
    .innerJoin(companies, eq(companies.id, companyMembers.companyId))
    .where(
      and(
        eq(companyMembers.id, id),
        eq(companyMembers.userId, actor.id),
        or(isNotNull(companyMembers.confirmedAt), isFresh),
      ),
    );
  return request ?? null;
}

/** Tells the owners of a company that a person with an address at their domain wants to post for it. */
async function notifyOwnersLater(
  tx: Database,
  config: MembershipSettings,
  { companyId, claim, actor }: { companyId: string; claim: Request; actor: Actor },
): Promise<void> {
  const owners = await tx
    .select({ email: users.email, company: companies.name })
    .from(companyMembers)
    .innerJoin(users, eq(users.id, companyMembers.userId))
    .innerJoin(companies, eq(companies.id, companyMembers.companyId))
    .where(
      and(
        eq(companyMembers.companyId, companyId),
        eq(companyMembers.role, "owner"),
        isNotNull(companyMembers.approvedAt),
        isNotBanned(),
      ),
    );
  for (const { email, company } of owners)
    await queueMail(tx, {
      cause: `company-claim:${claim.id}:${email}`,
      to: email,
      subject: "Someone wants to post jobs for your company",
      body: (
        <ClaimMail
          product={config.product}
          company={company}
          person={actor.fullName}
          workEmail={claim.workEmail}
        />
      ),
    });
}

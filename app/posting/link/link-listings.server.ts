import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { lockCompany } from "../../companies/own-companies.server.ts";
import { companies } from "../../companies/tables.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { jobSources, jobSubmissions } from "../tables.server.ts";
import { isLinkableTo } from "./list-linkable.server.ts";
import { linkMessages, maxLinked } from "./rules.ts";

/**
 * Links listings of staff to the company that they name: its members can change them, and they are on its page. Their
 * text, owner and dates stay, so a listing of staff still doesn't lapse.
 *
 * @throws {Denied} without permission
 * @throws {NotFound} for a company that doesn't exist
 * @throws {Invalid} without a listing, or with too many
 * @throws {Conflict} if the company isn't approved, or one of the listings is linked, renamed or deleted. Then none is linked.
 */
export async function addListingsToCompany(
  db: Database,
  actor: Actor | null,
  { companyId, jobIds }: { companyId: string; jobIds: readonly string[] },
): Promise<number> {
  authorize(actor, "company.approve");
  const ids = [...new Set(jobIds)];
  if (ids.length === 0) throw new Invalid({ "": linkMessages.noSelection });
  if (ids.length > maxLinked) throw new Invalid({ "": linkMessages.selectionTooLarge });
  return db.transaction(async (tx) => {
    const company = await lockNamedCompany(tx, companyId);
    if (company.state !== "approved") throw new Conflict(linkMessages.notApproved);
    const linked = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(inArray(jobs.id, ids.filter(isUuid)), isLinkableTo(company.name)))
      .orderBy(asc(jobs.id))
      .for("no key update");
    if (linked.length < ids.length) throw new Conflict(linkMessages.changed);
    await tx.update(jobs).set({ companyId }).where(inArray(jobs.id, ids));
    const at = now();
    await tx.insert(jobSubmissions).values(
      linked.map(({ id: jobId }) => ({
        companyId,
        jobId,
        source: "link" as const,
        fields: {},
        state: "live" as const,
        createdAt: at,
        updatedAt: at,
        decidedBy: actor.id,
        decidedAt: at,
      })),
    );
    await recordAuditEvents(
      tx,
      linked.map(({ id }) => ({
        actor,
        event: "company.link",
        subject: { type: "job", id },
        after: { companyId },
      })),
    );
    return linked.length;
  });
}

/**
 * Takes a listing away from the company to which staff linked it. A change that its members haven't published yet stays
 * theirs, and can be sent as a new listing, as if the listing was deleted.
 *
 * @throws {Denied} without permission
 * @throws {NotFound} for a company that doesn't exist
 * @throws {Conflict} for a listing that staff didn't link to this company
 */
export async function removeListingFromCompany(
  db: Database,
  actor: Actor | null,
  { companyId, jobId }: { companyId: string; jobId: string },
): Promise<void> {
  authorize(actor, "company.approve");
  await db.transaction(async (tx) => {
    await lockNamedCompany(tx, companyId);
    const [job] = isUuid(jobId)
      ? await tx
          .select({ id: jobs.id })
          .from(jobs)
          .where(and(eq(jobs.id, jobId), eq(jobs.companyId, companyId)))
          .for("no key update")
      : [];
    const link = and(eq(jobSubmissions.jobId, jobId), eq(jobSubmissions.source, "link"));
    const { rowCount } = job ? await tx.delete(jobSubmissions).where(link) : { rowCount: 0 };
    if (!rowCount) throw new Conflict(linkMessages.notLinked);
    await tx.update(jobs).set({ companyId: null }).where(eq(jobs.id, jobId));
    await tx
      .update(jobSubmissions)
      .set({ jobId: null, version: sql`${jobSubmissions.version} + 1`, updatedAt: now() })
      .where(eq(jobSubmissions.jobId, jobId));
    await tx.update(jobSources).set({ jobId: null }).where(eq(jobSources.jobId, jobId));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "company.unlink",
        subject: { type: "job", id: jobId },
        before: { companyId },
      },
    ]);
  });
}

/** Locks a company, and returns it as it is from then on. */
async function lockNamedCompany(tx: Database, companyId: string) {
  if (isUuid(companyId)) {
    await lockCompany(tx, companyId);
    const [company] = await tx
      .select({ name: companies.name, state: companies.state })
      .from(companies)
      .where(eq(companies.id, companyId));
    if (company) return company;
  }
  throw new NotFound("Company not found");
}

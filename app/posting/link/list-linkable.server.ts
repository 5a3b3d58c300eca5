import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { companies } from "../../companies/tables.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { buildOrder, readPageOrLast } from "../../platform/lists/list.server.ts";
import { jobSubmissions } from "../tables.server.ts";

const listingsPerPage = 25;

/**
 * Finds a company whose listings an admin links.
 *
 * @throws {NotFound} for a company that doesn't exist, or has no confirmed work email
 */
export async function getCompanyToLink(db: Database, actor: Actor | null, id: string) {
  authorize(actor, "company.approve");
  const [company] = isUuid(id)
    ? await db
        .select({ id: companies.id, name: companies.name, state: companies.state })
        .from(companies)
        .where(and(eq(companies.id, id), isNotNull(companies.confirmedAt)))
    : [];
  if (!company) throw new NotFound("Company not found");
  return company;
}

/**
 * Matches listings without a company's page that name a company, in any case. Only the index jobs_unlinked_company finds
 * them quickly.
 */
export function isLinkableTo(name: string): SQL | undefined {
  return and(isNull(jobs.companyId), sql`lower(${jobs.company}) = lower(${name})`);
}

const columns = {
  id: jobs.id,
  title: jobs.title,
  location: jobs.location,
  postedAt: jobs.postedAt,
  isOpen: sql<boolean>`${isOpen}`,
  isArchived: jobs.isArchived,
  archivedReason: jobs.archivedReason,
  checkedAt: jobs.checkedAt,
  checkDueAt: jobs.checkDueAt,
  closesOn: jobs.closesOn,
  liveUntil: jobs.liveUntil,
};

const newestFirst = buildOrder("desc", { postedAt: jobs.postedAt, id: jobs.id });

/** Lists the listings that name a company and aren't linked to any, the newest first. */
export async function listLinkable(
  db: Database,
  actor: Actor | null,
  { name }: { name: string },
  after: string | null,
) {
  authorize(actor, "company.approve");
  return readPageOrLast(newestFirst, { cursor: after, size: listingsPerPage }, (part) =>
    db
      .select(columns)
      .from(jobs)
      .where(and(isLinkableTo(name), part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

const lastLinkedFirst = buildOrder("desc", {
  linkedAt: jobSubmissions.updatedAt,
  linkId: jobSubmissions.id,
});

/** Lists the listings that staff linked to a company, the last one first. */
export async function listLinked(
  db: Database,
  actor: Actor | null,
  { id }: { id: string },
  after: string | null,
) {
  authorize(actor, "company.approve");
  return readPageOrLast(lastLinkedFirst, { cursor: after, size: listingsPerPage }, (part) =>
    db
      .select({ ...columns, linkedAt: jobSubmissions.updatedAt, linkId: jobSubmissions.id })
      .from(jobSubmissions)
      .innerJoin(jobs, eq(jobs.id, jobSubmissions.jobId))
      .where(
        and(
          eq(jobSubmissions.companyId, id),
          eq(jobSubmissions.state, "live"),
          eq(jobSubmissions.source, "link"),
          part.where,
        ),
      )
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

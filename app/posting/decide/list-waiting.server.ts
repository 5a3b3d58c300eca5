import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { companies, companyMembers } from "../../companies/tables.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { buildOrder, countUpTo, readPageOrLast } from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { type ImportProvider, messages } from "../rules.ts";
import { jobSources, jobSubmissions } from "../tables.server.ts";

const listingsPerPage = 25;

const isWaiting = eq(jobSubmissions.state, "waiting");

// A listing that waits has been sent, but the column's type doesn't know that.
const sentAt = jobSubmissions.sentAt as unknown as typeof jobSubmissions.createdAt;

const oldestFirst = buildOrder("asc", { sentAt, id: jobSubmissions.id });

/** Lists the listings that wait for an admin, the oldest first. */
export async function listWaiting(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
) {
  authorize(actor, "job.review");
  return readPageOrLast(oldestFirst, { cursor: after, size: listingsPerPage }, (part) =>
    selectWaiting(db)
      .where(and(isWaiting, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

/** Counts the listings that wait, up to a thousand. */
export async function countWaiting(db: Database, actor: Actor | null): Promise<Count> {
  authorize(actor, "job.review");
  return countUpTo(db, jobSubmissions, isWaiting);
}

/** Finds a listing that waits. @throws {NotFound} for one that doesn't */
export async function getWaiting(db: Database, actor: Actor | null, id: string) {
  authorize(actor, "job.review");
  const [waiting] = isUuid(id)
    ? await selectWaiting(db).where(and(isWaiting, eq(jobSubmissions.id, id)))
    : [];
  if (!waiting) throw new NotFound(messages.notFound);
  return waiting;
}

function selectWaiting(db: Database) {
  return db
    .select({
      id: jobSubmissions.id,
      jobId: jobSubmissions.jobId,
      baseVersion: jobSubmissions.baseVersion,
      version: jobSubmissions.version,
      fields: jobSubmissions.fields,
      sentAt,
      source: jobSubmissions.source,
      importedFrom: sql<{ provider: ImportProvider; url: string | null } | null>`(
        select json_build_object('provider', ${jobSources.provider}, 'url', ${jobSources.url})
        from ${jobSources} where ${jobSources.submissionId} = ${jobSubmissions.id}
        order by ${jobSources.id} limit 1)`,
      sender: { id: jobSubmissions.submittedBy, name: profiles.fullName },
      workEmail: companyMembers.workEmail,
      company: {
        id: companies.id,
        name: companies.name,
        slug: companies.slug,
        website: companies.website,
        about: companies.about,
        state: companies.state,
      },
    })
    .from(jobSubmissions)
    .innerJoin(companies, eq(companies.id, jobSubmissions.companyId))
    .leftJoin(profiles, eq(profiles.id, jobSubmissions.submittedBy))
    .leftJoin(
      companyMembers,
      and(
        eq(companyMembers.companyId, companies.id),
        eq(companyMembers.userId, jobSubmissions.submittedBy),
      ),
    )
    .$dynamic();
}

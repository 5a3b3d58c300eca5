import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { isMemberOf } from "../../companies/own-companies.server.ts";
import { companies } from "../../companies/tables.server.ts";
import { selectLastCheckKind } from "../../jobs/due-checks.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { buildOrder, readPageOrLast } from "../../platform/lists/list.server.ts";
import { messages, unpublishedStates } from "../rules.ts";
import { jobSubmissions } from "../tables.server.ts";

const listingsPerPage = 25;

/** The change of a published listing that isn't decided yet. */
const change = alias(jobSubmissions, "change");

const newestFirst = buildOrder("desc", {
  changedAt: jobSubmissions.changedAt,
  id: jobSubmissions.id,
});

/** Matches what a company still works with. A change is in the row of its listing, and has its own once that was deleted. */
const isListed = and(
  or(
    inArray(jobSubmissions.state, [...unpublishedStates]),
    and(eq(jobSubmissions.state, "live"), isNotNull(jobSubmissions.jobId)),
  ),
  or(isNull(jobSubmissions.baseVersion), isNull(jobSubmissions.jobId)),
);

/** Lists the listings of a person's companies, the latest change first. Discarded and deleted ones are left out. */
export async function listOwnSubmissions(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
) {
  authorize(actor, "job.post");
  const own = db
    .select({ id: companies.id, name: companies.name })
    .from(companies)
    .where(isMemberOf(actor, companies.id))
    .as("own");
  return readPageOrLast(newestFirst, { cursor: after, size: listingsPerPage }, (part) => {
    // A page of each company by its index, since sorting all their listings takes long.
    const latest = db
      .select({ id: jobSubmissions.id })
      .from(jobSubmissions)
      .where(and(eq(jobSubmissions.companyId, own.id), isListed, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit)
      .as("latest");
    return db
      .select({
        id: jobSubmissions.id,
        title: sql<string>`coalesce(${jobs.title}, ${jobSubmissions.fields} ->> 'title', '')`,
        company: own.name,
        state: jobSubmissions.state,
        reason: jobSubmissions.reason,
        sentAt: jobSubmissions.sentAt,
        price: jobSubmissions.price,
        payableUntil: jobSubmissions.payableUntil,
        updatedAt: jobSubmissions.updatedAt,
        changedAt: jobSubmissions.changedAt,
        change: {
          id: change.id,
          state: change.state,
          reason: change.reason,
          sentAt: change.sentAt,
          updatedAt: change.updatedAt,
        },
        job: {
          id: jobs.id,
          isOpen: sql<boolean>`${isOpen}`,
          isArchived: jobs.isArchived,
          archivedReason: jobs.archivedReason,
          closesOn: jobs.closesOn,
          checkedAt: jobs.checkedAt,
          checkDueAt: jobs.checkDueAt,
          liveUntil: jobs.liveUntil,
          lastCheck: selectLastCheckKind(db),
        },
      })
      .from(own)
      .crossJoinLateral(latest)
      .innerJoin(jobSubmissions, eq(jobSubmissions.id, latest.id))
      .leftJoin(jobs, eq(jobs.id, jobSubmissions.jobId))
      .leftJoin(
        change,
        and(eq(change.jobId, jobSubmissions.jobId), inArray(change.state, [...unpublishedStates])),
      )
      .orderBy(...part.orderBy)
      .limit(part.limit);
  });
}

/**
 * Finds a listing of a person's company, to read or edit it.
 *
 * @throws {NotFound} for another company's listing, a discarded one and an invalid id
 */
export async function getOwnSubmission(db: Database, actor: Actor | null, id: string) {
  authorize(actor, "job.post");
  const [submission] = await selectOwnSubmission(db, actor, id);
  if (!submission) throw new NotFound(messages.notFound);
  return submission;
}

/** The same for a change: locks the listing for the rest of the transaction. */
export async function lockOwnSubmission(tx: Database, actor: Actor, id: string) {
  const [submission] = await selectOwnSubmission(tx, actor, id).for("update", {
    of: jobSubmissions,
  });
  if (!submission) throw new NotFound(messages.notFound);
  return submission;
}

function selectOwnSubmission(db: Database, actor: Actor, id: string) {
  return db
    .select({
      id: jobSubmissions.id,
      jobId: jobSubmissions.jobId,
      baseVersion: jobSubmissions.baseVersion,
      companyId: jobSubmissions.companyId,
      company: companies.name,
      fields: jobSubmissions.fields,
      version: jobSubmissions.version,
      state: jobSubmissions.state,
      reason: jobSubmissions.reason,
      price: jobSubmissions.price,
      payableUntil: jobSubmissions.payableUntil,
    })
    .from(jobSubmissions)
    .innerJoin(companies, eq(companies.id, jobSubmissions.companyId))
    .where(
      isUuid(id)
        ? and(
            eq(jobSubmissions.id, id),
            isMemberOf(actor, jobSubmissions.companyId),
            ne(jobSubmissions.state, "discarded"),
          )
        : isNull(jobSubmissions.id),
    )
    .$dynamic();
}

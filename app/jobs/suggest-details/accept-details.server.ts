import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { countUpTo, type ListPage, readPageOrLast } from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { isOpen, newestFirst } from "../find.server.ts";
import { jobs } from "../tables.server.ts";
import { getQuotedText, type Proposal } from "./proposals.ts";
import { getProposalsVersion, joinProposals, suggestDetails } from "./suggest-details.server.ts";
import { findPlaceConflict } from "./suggest-places.server.ts";
import { withoutDetails } from "./without-details.ts";

const isWithoutDetails = sql.raw(withoutDetails);
const listingsPerPage = 20;

type ListedJob = { id: string; title: string; company: string; location: string; postedAt: Date };

/** Lists open listings without details, newest first, and counts them. */
export async function listJobsWithoutDetails(
  db: Database,
  actor: Actor | null,
  after: string | null,
): Promise<ListPage<ListedJob> & { total: Count }> {
  authorize(actor, "job.manage-any");
  const where = and(isOpen, isWithoutDetails);
  const [page, total] = await Promise.all([
    readPageOrLast(newestFirst, { cursor: after, size: listingsPerPage }, (part) =>
      db
        .select({
          id: jobs.id,
          title: jobs.title,
          company: jobs.company,
          location: jobs.location,
          postedAt: jobs.postedAt,
        })
        .from(jobs)
        .where(and(where, part.where))
        .orderBy(...part.orderBy)
        .limit(part.limit),
    ),
    countUpTo(db, jobs, where),
  ]);
  return { ...page, total };
}

const texts = {
  id: jobs.id,
  title: jobs.title,
  company: jobs.company,
  location: jobs.location,
  jobType: jobs.jobType,
  compensation: jobs.compensation,
  description: jobs.description,
  largeDescription: jobs.largeDescription,
  postedAt: jobs.postedAt,
};

/**
 * Finds an open listing without details, with the details that its text states.
 *
 * @returns also the names in its location that don't fit together, and the version that `acceptDetails` takes as
 *   `seen`; null for any other listing
 */
export async function findProposedDetails(db: Database, actor: Actor | null, id: string) {
  authorize(actor, "job.manage-any");
  if (!isUuid(id)) return null;
  const [job] = await db
    .select(texts)
    .from(jobs)
    .where(and(eq(jobs.id, id), isOpen, isWithoutDetails));
  if (!job) return null;
  const proposals = suggestDetails(job);
  const conflict = findPlaceConflict(job.location);
  return { job, proposals, conflict, version: getProposalsVersion(job, proposals) };
}

export const messages = {
  notFound: "This listing is no longer open.",
  hasDetails: "Someone else has added details to this listing.",
  changed: "This listing changed after you opened it. Check its details again.",
  nothingChosen: "Choose at least one detail, or skip this listing.",
  notRemote: "Choose “Work mode: Remote” too. Only remote work has places where applicants live.",
} as const;

/**
 * Saves the chosen proposals for a listing without details, if its texts and proposals are still the shown ones.
 *
 * @param chosen.seen the version of the shown proposals
 * @param chosen.keys the keys of the chosen proposals
 * @throws {NotFound} for a listing that is not open
 * @throws {Conflict} if the listing has details or has changed
 * @throws {Invalid} if nothing is chosen, or places of applicants without remote work
 */
export async function acceptDetails(
  db: Database,
  actor: Actor | null,
  { id, seen, keys }: { id: string; seen: string; keys: readonly string[] },
): Promise<void> {
  authorize(actor, "job.manage-any");
  if (!isUuid(id)) throw new NotFound(messages.notFound);
  await db.transaction(async (tx) => {
    const [job] = await tx
      .select({ ...texts, isUnset: sql<boolean>`${isWithoutDetails}` })
      .from(jobs)
      .where(and(eq(jobs.id, id), isOpen))
      .for("no key update");
    if (!job) throw new NotFound(messages.notFound);
    if (!job.isUnset) throw new Conflict(messages.hasDetails);
    const proposals = suggestDetails(job);
    if (getProposalsVersion(job, proposals) !== seen) throw new Conflict(messages.changed);
    const chosen = proposals.filter(({ key }) => keys.includes(key));
    if (chosen.length === 0) throw new Invalid({ "": messages.nothingChosen });
    const details = joinProposals(chosen);
    if (details.applicantPlaceIds && details.workMode !== "remote")
      throw new Invalid({ "": messages.notRemote });
    await tx
      .update(jobs)
      .set({ ...details, updatedAt: now() })
      .where(eq(jobs.id, id));
    const quotes = chosen.map((proposal: Proposal) => `“${getQuotedText(job, proposal.quote)}”`);
    await recordAuditEvents(tx, [
      {
        actor,
        event: "job.accept-details",
        subject: { type: "job", id },
        after: { ...details, quotes: quotes.join(", ") },
      },
    ]);
  });
}

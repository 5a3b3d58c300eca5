import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { countUpTo, readPage } from "../../platform/list.server.ts";
import { matches, newestFirst } from "../search.server.ts";
import { jobs } from "../tables.server.ts";
import type { ManageQuery } from "./query.ts";
import { columns } from "./job-commands.server.ts";

/** Whose listings a screen is about: one's own, or everybody's. */
export type Scope = "own" | "all";

export const listingsPerPage = 25;

/** Lists the listings that a screen manages, newest first, open or archived. */
export async function listListings(
  db: Database,
  actor: Actor | null,
  scope: Scope,
  {
    isArchived,
    search,
    type,
    after,
  }: Pick<ManageQuery, "isArchived" | "search" | "type" | "after">,
) {
  authorize(actor, scope === "all" ? "job.manage-any" : "job.manage");
  const isListed = and(
    eq(jobs.isArchived, isArchived),
    inScope(actor, scope),
    matches({ search, type }),
  );
  return readPage(newestFirst, { cursor: after, size: listingsPerPage }, (part) =>
    db
      .select({
        id: jobs.id,
        title: jobs.title,
        company: jobs.company,
        location: jobs.location,
        jobType: jobs.jobType,
        postedAt: jobs.postedAt,
        updatedAt: jobs.updatedAt,
        postedBy: profiles.fullName,
      })
      .from(jobs)
      .leftJoin(profiles, eq(profiles.id, jobs.createdBy))
      .where(and(isListed, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

/** Counts the open and the archived listings that a screen manages, for its tabs. */
export async function countListings(db: Database, actor: Actor | null, scope: Scope) {
  authorize(actor, scope === "all" ? "job.manage-any" : "job.manage");
  const count = (isArchived: boolean) =>
    countUpTo(db, jobs, and(eq(jobs.isArchived, isArchived), inScope(actor, scope)));
  const [open, archived] = await Promise.all([count(false), count(true)]);
  return { open, archived };
}

/** Reads all of one listing of those that a screen manages; null for any other. */
export async function readListing(db: Database, actor: Actor | null, scope: Scope, id: string) {
  authorize(actor, scope === "all" ? "job.manage-any" : "job.manage");
  if (!isUuid(id)) return null;
  const [job] = await db
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.id, id), inScope(actor, scope)));
  return job ?? null;
}

function inScope(actor: Actor, scope: Scope) {
  return scope === "own" ? eq(jobs.createdBy, actor.id) : undefined;
}

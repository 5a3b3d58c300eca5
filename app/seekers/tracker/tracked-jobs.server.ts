import { and, asc, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { deletedSentence, explainClosed } from "../../jobs/check-rules.ts";
import { isOpen, listSimilarToEach, type SimilarJob } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { buildKeys, type Order, readPageOrLast } from "../../platform/lists/list.server.ts";
import { endedStates, isFoundElsewhere, type TrackerState } from "./rules.ts";
import { trackedEvents, trackedJobs } from "./tables.server.ts";

/** A job in a person's list. `closed` is null unless its listing was on the board and left it. */
export type TrackedJob = Omit<
  typeof trackedJobs.$inferSelect,
  "userId" | "createdAt" | "motivation" | "askedAt"
> & {
  closed: ClosedListing | null;
};

/** The reason as a sentence, and open jobs like it. */
export type ClosedListing = { why: string; similar: SimilarJob[] };

const jobsPerPage = 20;
const maxSimilar = 3;

/** The next step of a job that hasn't ended. */
const openStep = sql`case when ${trackedJobs.state} in ${endedStates} then null else ${trackedJobs.nextStepOn} end`;
/** Sorts the nearest next step first in descending order, and jobs without one last. */
const stepOrder = sql<number>`-coalesce(to_char(${openStep}, 'YYYYMMDD')::int, 99999999)`;

type Sorted = { stepOrder: number; updatedAt: Date; id: string };

const nextStepFirst: Order<Sorted> = {
  keys: [
    { by: stepOrder, type: "integer", of: (row) => row.stepOrder },
    ...buildKeys({ updatedAt: trackedJobs.updatedAt, id: trackedJobs.id }),
  ],
  direction: "desc",
};

const columns = {
  id: trackedJobs.id,
  jobId: trackedJobs.jobId,
  title: trackedJobs.title,
  company: trackedJobs.company,
  place: trackedJobs.place,
  url: trackedJobs.url,
  state: trackedJobs.state,
  appliedOn: trackedJobs.appliedOn,
  nextStepOn: trackedJobs.nextStepOn,
  notes: trackedJobs.notes,
  version: trackedJobs.version,
  updatedAt: trackedJobs.updatedAt,
};

/** The facts that say if and why a listing is closed. */
const listing = {
  isOpen: sql<boolean>`${isOpen}`,
  jobType: jobs.jobType,
  closesOn: jobs.closesOn,
  liveUntil: jobs.liveUntil,
  isArchived: jobs.isArchived,
  archivedReason: jobs.archivedReason,
};

/**
 * Lists a page of the actor's jobs: the nearest next step first, then the newest change.
 *
 * @param query.state null lists all states
 * @param query.after the cursor from another page
 */
export async function listTrackedJobs(
  db: Database,
  actor: Actor,
  { state, after }: { state: TrackerState | null; after: string | null },
) {
  const page = await readPageOrLast(nextStepFirst, { cursor: after, size: jobsPerPage }, (part) =>
    selectOwn(db, actor, and(state ? eq(trackedJobs.state, state) : undefined, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
  return { ...page, rows: await withClosedListings(db, page.rows) };
}

/** Finds one of the actor's jobs, with the history of its states, oldest first; null if it isn't theirs. */
export async function findTrackedJob(db: Database, actor: Actor, id: string) {
  if (!isUuid(id)) return null;
  const rows = await selectOwn(db, actor, eq(trackedJobs.id, id));
  const [job] = await withClosedListings(db, rows);
  if (!job) return null;
  const history = await db
    .select({ state: trackedEvents.state, at: trackedEvents.at })
    .from(trackedEvents)
    .where(eq(trackedEvents.trackedJobId, id))
    .orderBy(asc(trackedEvents.at), asc(trackedEvents.id));
  return { job, history };
}

function selectOwn(db: Database, actor: Actor, where: SQL | undefined) {
  return db
    .select({ ...columns, stepOrder, listing })
    .from(trackedJobs)
    .leftJoin(jobs, eq(jobs.id, trackedJobs.jobId))
    .where(and(eq(trackedJobs.userId, actor.id), where));
}

type OwnRow = Awaited<ReturnType<typeof selectOwn>>[number];

/** Explains which listings of a page are closed. */
async function withClosedListings(db: Database, rows: OwnRow[]): Promise<TrackedJob[]> {
  const closed = rows.filter((row) => explainOwnRow(row) !== null);
  const similar = await listSimilarToEach(
    db,
    closed.map(({ jobId, title, place, listing: facts }) => ({
      id: jobId,
      title,
      location: place,
      jobType: facts?.jobType ?? null,
    })),
  );
  return rows.map((row) => {
    const { listing: _listing, stepOrder: _stepOrder, ...job } = row;
    const why = explainOwnRow(row);
    const like = similar[closed.indexOf(row)]?.slice(0, maxSimilar);
    return { ...job, closed: why === null ? null : { why, similar: like ?? [] } };
  });
}

/** @returns null for an open listing, and for a job that was found elsewhere */
function explainOwnRow({ url, jobId, listing: facts }: OwnRow): string | null {
  if (!facts) return isFoundElsewhere({ jobId, url }) ? null : deletedSentence;
  return facts.isOpen ? null : explainClosed(facts);
}

/** Counts the actor's jobs. @param today in India, such as "2026-11-26" */
export async function countTrackedJobs(db: Database, actor: Actor, today: string) {
  const rows = await db
    .select({
      state: trackedJobs.state,
      count: sql<number>`count(*)::int`,
      overdue: sql<number>`count(*) filter (where ${openStep} < ${today}::date)::int`,
      today: sql<number>`count(*) filter (where ${openStep} = ${today}::date)::int`,
    })
    .from(trackedJobs)
    .where(eq(trackedJobs.userId, actor.id))
    .groupBy(trackedJobs.state);
  const sum = (name: "count" | "overdue" | "today") =>
    rows.reduce((total, row) => total + row[name], 0);
  return {
    states: Object.fromEntries(rows.map(({ state, count }) => [state, count])),
    all: sum("count"),
    overdue: sum("overdue"),
    today: sum("today"),
  };
}

/** Lists the listings of the board in the actor's list, with their states. @param jobId only this one; null lists all */
export async function listTrackedListings(db: Database, actor: Actor, jobId: string | null) {
  if (jobId !== null && !isUuid(jobId)) return [];
  const rows = await db
    .select({ jobId: trackedJobs.jobId, state: trackedJobs.state })
    .from(trackedJobs)
    .where(
      and(
        eq(trackedJobs.userId, actor.id),
        jobId === null ? isNotNull(trackedJobs.jobId) : eq(trackedJobs.jobId, jobId),
      ),
    );
  return rows.flatMap(({ jobId, state }) => (jobId ? [{ jobId, state }] : []));
}

/** Lists all of the actor's jobs for a file, in the order of the screen. */
export async function listAllTrackedJobs(db: Database, actor: Actor) {
  return db
    .select()
    .from(trackedJobs)
    .where(eq(trackedJobs.userId, actor.id))
    .orderBy(...nextStepFirst.keys.map(({ by }) => desc(by)));
}

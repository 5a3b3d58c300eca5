import { and, desc, gt, lte } from "drizzle-orm";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { toJobFilter } from "./alert-query.server.ts";

/** A job that an alert found, and when it appeared on the board. */
type NewJob = { id: string; publishedAt: Date };

/** The jobs that appeared after `from`, until and including `until`. */
type JobWindow = { from: Date; until: Date };

/**
 * Creates a search for the open jobs of a window that match an alert's filters, in the order of the board. It runs the
 * board's own conditions, each query once for a window. Results share their jobs, so that thousands need little memory.
 */
export function createNewJobSearch() {
  const windows = new Map<string, WindowJobs>();
  const results = new Map<string, NewJob[]>();
  return async (db: Database, query: string, window: JobWindow): Promise<NewJob[]> => {
    const key = `${window.from.getTime()} ${window.until.getTime()}`;
    const ofWindow = windows.get(key) ?? (await listWindowJobs(db, window));
    windows.set(key, ofWindow);
    const jobs = results.get(`${key} ${query}`) ?? (await findMatches(db, query, ofWindow));
    results.set(`${key} ${query}`, jobs);
    return jobs;
  };
}

type WindowJobs = {
  window: JobWindow;
  /** All open jobs of the window in the order of the board, and their places in it. */
  all: NewJob[];
  places: Map<string, number>;
};

async function listWindowJobs(db: Database, window: JobWindow): Promise<WindowJobs> {
  const all = await db
    .select({ id: jobs.id, publishedAt: jobs.publishedAt })
    .from(jobs)
    .where(and(isOpen, isPublishedIn(window)))
    .orderBy(desc(jobs.postedAt), desc(jobs.id));
  return { window, all, places: new Map(all.map(({ id }, place) => [id, place])) };
}

function isPublishedIn({ from, until }: JobWindow) {
  return and(gt(jobs.publishedAt, from), lte(jobs.publishedAt, until));
}

/** The index `jobs_published` has all columns that this reads, unless the filters have a search. */
async function findMatches(db: Database, query: string, { window, all, places }: WindowJobs) {
  const { condition } = toJobFilter(query);
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isOpen, condition, isPublishedIn(window)));
  const positions = rows.flatMap(({ id }) => places.get(id) ?? []);
  return positions.toSorted((one, other) => one - other).map((at) => all[at]!);
}

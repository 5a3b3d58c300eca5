import { and, gt, isNull, lte, or, sql } from "drizzle-orm";
import { isOpen, matchesJobFilters } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { toBoardQuery } from "./alert-query.server.ts";

/** A job that an alert found, and when it appeared on the board. */
export type NewJob = { id: string; publishedAt: Date };

/** The jobs that appeared after `from`, until and including `until`. */
export type JobWindow = { from: Date; until: Date };

/**
 * Lists the open jobs of a window that match an alert's filters, in the order of the board. An alert runs the same
 * conditions as the board.
 */
export function listNewJobs(db: Database, query: string, window: JobWindow): Promise<NewJob[]> {
  const { search, type, discipline, mode, place, skill, experience, pay } = toBoardQuery(query);
  const filters = { search, type, discipline, mode, place, skill, experience, pay };
  return db
    .select({ id: jobs.id, publishedAt: publishedAt.mapWith(jobs.publishedAt) })
    .from(jobs)
    .where(and(isOpen, matchesJobFilters(filters), isPublishedIn(window)))
    .orderBy(sql`${jobs.postedAt} desc`, sql`${jobs.id} desc`);
}

/** Older rows have no time of publication, since they appeared when they were posted. */
const publishedAt = sql<Date>`coalesce(${jobs.publishedAt}, ${jobs.postedAt})`;

/** Selects the jobs of a window. Each half uses an index of its own. */
function isPublishedIn({ from, until }: JobWindow) {
  return or(
    and(gt(jobs.publishedAt, from), lte(jobs.publishedAt, until)),
    and(isNull(jobs.publishedAt), gt(jobs.postedAt, from), lte(jobs.postedAt, until)),
  );
}

/**
 * Creates a search for new jobs that runs each query once for a window. Alerts share its results, and results share
 * their jobs, so that thousands of alerts need little memory.
 */
export function createNewJobSearch() {
  const results = new Map<string, NewJob[]>();
  const known = new Map<string, NewJob>();
  return async (db: Database, query: string, window: JobWindow): Promise<NewJob[]> => {
    const key = `${window.from.getTime()} ${window.until.getTime()} ${query}`;
    let result = results.get(key);
    if (!result) {
      result = (await listNewJobs(db, query, window)).map((job) => {
        const same = known.get(job.id) ?? job;
        known.set(job.id, same);
        return same;
      });
      results.set(key, result);
    }
    return result;
  };
}

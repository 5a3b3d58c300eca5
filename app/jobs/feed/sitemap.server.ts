import { and, asc, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { isOpen } from "../find.server.ts";
import { jobs } from "../tables.server.ts";

/** The maximum number of addresses in a sitemap, and of those that one query reads. */
export const sitemapSize = { addresses: 50_000, part: 5_000 };

/** A run of open jobs, oldest first, so that a new job changes only the last run. */
export type SitemapRun = {
  /** The start of the run: position and id of its first job. */
  from: { postedAt: string; id: string };
  changedAt: Date;
  /** Changes if any address or date in the run changes. */
  fingerprint: string;
};

/** Splits the open jobs into runs that fit into a sitemap each. */
export async function listSitemapRuns(
  db: Database,
  { addresses } = sitemapSize,
): Promise<SitemapRun[]> {
  // With a parameter, PostgreSQL would not see that the grouping and the order are the same expression.
  const run = sql.raw(`position / ${addresses}`);
  const isFirst = sql.raw(`position % ${addresses} = 0`);
  const { rows } = await db.execute<{
    posted_at: string;
    id: string;
    changed_at: string;
    fingerprint: string;
  }>(sql`
    select
      max(posted_at::text) filter (where ${isFirst}) as posted_at,
      max(id::text) filter (where ${isFirst}) as id,
      max(changed_at) at time zone 'UTC' || 'Z' as changed_at,
      sum(hashtextextended(id::text || changed_at, 0)) as fingerprint
    from (
      select ${jobs.id} as id, ${jobs.postedAt} as posted_at, ${changedAt} as changed_at,
        row_number() over (order by ${jobs.postedAt}, ${jobs.id}) - 1 as position
      from ${jobs} where ${isOpen}
    ) as listed
    group by ${run}
    order by ${run}`);
  return rows.map((row) => ({
    from: { postedAt: row.posted_at, id: row.id },
    changedAt: new Date(row.changed_at),
    fingerprint: row.fingerprint,
  }));
}

const changedAt = sql<Date>`greatest(${jobs.postedAt}, ${jobs.updatedAt})`.mapWith(jobs.postedAt);

export type SitemapJob = { id: string; changedAt: Date };

/** Loads the jobs of a run in small parts, with one query each, so that memory stays bounded. */
export async function* loadSitemapRun(
  db: Database,
  { from }: SitemapRun,
  { addresses, part } = sitemapSize,
): AsyncGenerator<SitemapJob[]> {
  let last: SitemapRun["from"] | null = null;
  for (let left = addresses; left > 0;) {
    const start: SQL = last
      ? sql`(${jobs.postedAt}, ${jobs.id}) > (${last.postedAt}::timestamptz, ${last.id}::uuid)`
      : sql`(${jobs.postedAt}, ${jobs.id}) >= (${from.postedAt}::timestamptz, ${from.id}::uuid)`;
    const rows = await db
      .select({ id: jobs.id, changedAt, postedAt: sql<string>`${jobs.postedAt}::text` })
      .from(jobs)
      .where(and(isOpen, start))
      .orderBy(asc(jobs.postedAt), asc(jobs.id))
      .limit(Math.min(part, left));
    if (rows.length > 0) yield rows;
    if (rows.length < Math.min(part, left)) return;
    left -= rows.length;
    last = rows.at(-1)!;
  }
}

import { and } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { readPage } from "../../platform/list.server.ts";
import type { BoardQuery } from "../board/board-query.ts";
import { isOpen, listed, matches, newestFirst } from "../search.server.ts";
import type { PublicJob } from "../rules.ts";
import { jobs } from "../tables.server.ts";

/** A job as a feed tells of it: what a visitor sees on the board, and when it changed. */
export type FeedEntry = PublicJob & { postedAt: Date; changedAt: Date };

/** One page of a feed, the newest jobs first. `next` is the cursor of the page behind it. */
export type Feed = { entries: FeedEntry[]; changedAt: Date | null; next: string | null };

const entriesPerPage = 50;

/** Reads the jobs that the board lists for this; contacts are not even read. */
export async function readFeed(
  db: Database,
  { search, type, after }: Pick<BoardQuery, "search" | "type" | "after">,
): Promise<Feed> {
  const page = await readPage(newestFirst, { cursor: after, size: entriesPerPage }, (part) =>
    db
      .select({ ...listed, description: jobs.description, updatedAt: jobs.updatedAt })
      .from(jobs)
      .where(and(isOpen, matches({ search, type }), part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
  const entries = page.rows.map(({ updatedAt, ...job }) => ({
    ...job,
    changedAt: later(job.postedAt, updatedAt),
  }));
  return {
    entries,
    changedAt: entries.reduce<Date | null>((latest, one) => later(one.changedAt, latest), null),
    next: page.next,
  };
}

function later(one: Date, other: Date | null): Date {
  return other && other > one ? other : one;
}

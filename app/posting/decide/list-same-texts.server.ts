import { and, desc, ne, sql } from "drizzle-orm";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";

const maxListed = 3;

/** Shorter summaries may be the same by chance. */
const minLength = 40;

/** Finds equal texts by the index jobs_same_summary. Looking for a long text in others takes a second at a million jobs. */
const summaryHash = sql`md5(search_form(${jobs.description}))`;

/**
 * Lists the newest open jobs with the same summary as a listing, in any capitals, since frauds copy the listings of others.
 *
 * @param summary of the listing
 * @param jobId the published listing, if this is a change of it
 */
export async function listSameTexts(db: Database, summary: string, jobId: string | null = null) {
  if (summary.length < minLength) return [];
  return db
    .select({ id: jobs.id, title: jobs.title, company: jobs.company })
    .from(jobs)
    .where(
      and(
        isOpen,
        sql`${summaryHash} = md5(search_form(${summary}))`,
        jobId ? ne(jobs.id, jobId) : undefined,
      ),
    )
    .orderBy(desc(jobs.postedAt), desc(jobs.id))
    .limit(maxListed);
}

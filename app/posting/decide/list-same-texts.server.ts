import { and, desc, ne } from "drizzle-orm";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { containsText } from "../../platform/lists/list.server.ts";

const maxListed = 3;

/** Shorter summaries may be the same by chance. */
const minLength = 40;

/**
 * Lists the newest open jobs with the same summary as a listing, since frauds copy the listings of others.
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
      and(isOpen, containsText(jobs.searchText, summary), jobId ? ne(jobs.id, jobId) : undefined),
    )
    .orderBy(desc(jobs.postedAt), desc(jobs.id))
    .limit(maxListed);
}

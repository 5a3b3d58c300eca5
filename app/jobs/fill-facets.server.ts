import { sql } from "drizzle-orm";
import type { Database } from "../platform/database.server.ts";
import type { Task } from "../platform/tasks.server.ts";
import { outdatedFacets } from "./outdated-facets.ts";

const batchSize = 1_000;
const hasOutdatedFacets = sql.raw(outdatedFacets);

/** Fills in the facets of listings from before the latest version of the trigger `set_job_facets`. */
export const fillFacetsTask: Task<object> = {
  name: "fill-job-facets",
  schedule: "*/5 * * * *",
  run: async (_data, { db }) => void (await fillFacets(db)),
};

/**
 * Lets the trigger write the facets of all listings with none or outdated ones, in small steps that don't block others for long.
 *
 * @returns the number of changed listings
 */
export async function fillFacets(db: Database): Promise<number> {
  let filled = 0;
  for (;;) {
    // An update of job_type fires the trigger even though the value stays the same.
    const { rowCount } = await db.execute(sql`
      update jobs set job_type = job_type where id = any(array(
        select id from jobs where ${hasOutdatedFacets} order by id limit ${batchSize} for update skip locked))`);
    filled += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) return filled;
  }
}

import { sql } from "drizzle-orm";
import {
  type ContactSettings,
  findStoppedListings,
  type ListingTexts,
} from "../../../app/jobs/contact/stopped-contacts.server.ts";
import { stoppedContacts } from "../../../app/jobs/tables.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";

const batchSize = 1000;

/** Skips the staged jobs with a contact who had their name removed here. */
export async function checkRemovedContacts(tx: Database, settings: ContactSettings): Promise<void> {
  // A removal during the import waits for it, and then finds its listings.
  await tx.execute(sql`lock table ${stoppedContacts} in share mode`);
  for (let after = 0; ;) {
    const { rows } = await tx.execute<ListingTexts & { line: number }>(sql`
      select line, title, company, location, compensation, coalesce(description, '') as description,
        large_description as "largeDescription", poc_name as "pocName", poc_contact as "pocContact",
        portal_application_link as "portalApplicationLink", direct_application_link as "directApplicationLink"
      from import_jobs where reason is null and line > ${after} order by line limit ${batchSize}`);
    const positions = await findStoppedListings(tx, settings, rows);
    const lines = positions.map((place) => rows[place]!.line);
    if (lines.length > 0)
      await tx.execute(sql`
        update import_jobs set reason = 'names a contact who had their name removed', is_problem = false
        where line in ${lines}`);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.line;
  }
}

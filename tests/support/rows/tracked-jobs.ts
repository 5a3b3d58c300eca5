import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { trackedEvents, trackedJobs } from "../../../app/seekers/tracker/tables.server.ts";

/** Puts a job into a person's list, by default a saved one that was found elsewhere. @returns its id */
export async function trackedJob(
  db: Database,
  { id: userId }: { id: string },
  fields: Partial<typeof trackedJobs.$inferInsert> = {},
): Promise<string> {
  const at = fields.updatedAt ?? now();
  const [row] = await db
    .insert(trackedJobs)
    .values({
      userId,
      title: "Type Designer",
      company: "Letter Works",
      createdAt: at,
      updatedAt: at,
      ...fields,
    })
    .returning();
  await db.insert(trackedEvents).values({ trackedJobId: row!.id, state: row!.state, at });
  return row!.id;
}

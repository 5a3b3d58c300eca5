import { eq } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { listed } from "./find.server.ts";
import { findCoordinates } from "./places/parse-places.server.ts";
import type { JobContacts, LocatedJob } from "./rules.ts";
import { jobs } from "./tables.server.ts";

type JobDetail = LocatedJob & { largeDescription: string | null; postedAt: Date };

/** The result of finding a job. For a visitor, the contacts are not read from the database. */
type FoundJob =
  | { state: "open"; job: JobDetail; contacts: JobContacts | null }
  | { state: "archived" }
  | { state: "missing" };

/** Finds a job with the fields that this actor may see. Contacts are for signed-in people. @param actor null for a visitor */
export async function findJob(db: Database, actor: Actor | null, id: string): Promise<FoundJob> {
  if (!isUuid(id)) return { state: "missing" };
  const [row] = actor
    ? await db
        .select({ ...visible, contacts })
        .from(jobs)
        .where(eq(jobs.id, id))
    : (await db.select(visible).from(jobs).where(eq(jobs.id, id))).map(omitContacts);
  if (!row) return { state: "missing" };
  if (row.isArchived) return { state: "archived" };
  const { job, contacts: seen } = row;
  const located = { ...job, coordinates: findCoordinates(job.location) };
  return { state: "open", job: located, contacts: seen };
}

const detail = {
  ...listed,
  description: jobs.description,
  largeDescription: jobs.largeDescription,
};

const contacts = {
  pocName: jobs.pocName,
  pocContact: jobs.pocContact,
  portalApplicationLink: jobs.portalApplicationLink,
  directApplicationLink: jobs.directApplicationLink,
};

const visible = { job: detail, isArchived: jobs.isArchived };

function omitContacts<Row>(row: Row) {
  return { ...row, contacts: null };
}

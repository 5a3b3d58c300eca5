import { eq, sql } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import type { JobDetails } from "./details.ts";
import { isOpen, listed } from "./find.server.ts";
import { withJobTexts } from "./job-facts.server.ts";
import type { JobContacts, JobTexts, PublicJob } from "./rules.ts";
import { jobs } from "./tables.server.ts";

type FullJob = PublicJob &
  JobTexts & { largeDescription: string | null; postedAt: Date; isReported: boolean };

/** The result of finding a job. For a visitor, the contacts are not read from the database. */
type FoundJob =
  | {
      state: "open";
      job: FullJob;
      compensation: string | null;
      details: JobDetails;
      contacts: JobContacts | null;
    }
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
  const { isOpen: isPublic, contacts: seen, ...job } = row;
  if (!isPublic) return { state: "archived" };
  const { compensation, details } = job;
  return { state: "open", job: withJobTexts(job), compensation, details, contacts: seen };
}

const contacts = {
  pocName: jobs.pocName,
  pocContact: jobs.pocContact,
  portalApplicationLink: jobs.portalApplicationLink,
  directApplicationLink: jobs.directApplicationLink,
};

const visible = {
  ...listed,
  description: jobs.description,
  largeDescription: jobs.largeDescription,
  isOpen: sql<boolean>`${isOpen}`,
};

function omitContacts<Row>(row: Row) {
  return { ...row, contacts: null };
}

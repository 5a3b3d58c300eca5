import { eq, sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { isOpen } from "../find.server.ts";
import { jobs } from "../tables.server.ts";
import {
  columns,
  getJobChanges,
  getJobVersion,
  type StoredJob,
  toWrittenFields,
} from "./job-commands.server.ts";
import type { JobInput } from "./rules.ts";

/** A published listing that its company changes. */
export type CompanyJob = StoredJob & { isOpen: boolean };

/** Finds the published listing that a company changes; null if it was deleted. The caller knows that it is theirs. */
export async function findCompanyJob(db: Database, id: string | null): Promise<CompanyJob | null> {
  const [job] = id ? await selectCompanyJob(db, id) : [];
  return job ?? null;
}

/** The same for a change: locks the listing for the rest of the transaction. */
export async function lockCompanyJob(tx: Database, id: string | null): Promise<CompanyJob | null> {
  const [job] = id ? await selectCompanyJob(tx, id).for("no key update") : [];
  return job ?? null;
}

function selectCompanyJob(db: Database, id: string) {
  return db
    .select({ ...columns, isOpen: sql<boolean>`${isOpen}` })
    .from(jobs)
    .where(eq(jobs.id, id))
    .$dynamic();
}

/**
 * Returns the version of a published listing on which a change is based. It differs once the listing is off the board, so
 * that nobody publishes a change without knowing that.
 */
export function getBaseVersion(job: CompanyJob): string {
  const version = getJobVersion(toWrittenFields(job));
  return job.isOpen ? version : `closed ${version}`;
}

/** Checks whether a listing's text or details differ from the published ones. */
export function isJobChanged(job: CompanyJob, listing: JobInput): boolean {
  return Object.keys(getJobChanges(toWrittenFields(job), listing).after).length > 0;
}

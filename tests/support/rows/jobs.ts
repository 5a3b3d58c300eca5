import { eq } from "drizzle-orm";
import type { JobFields } from "../../../app/jobs/manage/rules.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";

export type JobRow = Partial<typeof jobs.$inferInsert>;

export const jobFields: JobFields = {
  title: "Product Designer",
  company: "Sample Studio",
  location: "Pune",
  jobType: "Full-time",
  compensation: null,
  description: "Designs products.",
  largeDescription: "Designs products all day.",
  pocName: "Sample Person",
  pocContact: "person@example.com",
  portalApplicationLink: null,
  directApplicationLink: null,
};

/** The fields of a listing that its form requires, as typed. */
export const typedJob = {
  title: "Map Maker",
  company: "Example Studio",
  location: "Pune",
  jobType: "Full-time",
  description: "Draw.",
  largeDescription: "Draw all day.",
};

/** Inserts listings without a command, by default open ones with {@link jobFields}. @returns their rows */
export function insertJobs(db: Database, listings: JobRow[]) {
  const values = listings.map((fields) => ({ ...jobFields, postedAt: now(), ...fields }));
  return db.insert(jobs).values(values).returning();
}

/** Inserts one listing like {@link insertJobs}. @returns its row */
export async function insertJob(db: Database, fields: JobRow = {}) {
  const [job] = await insertJobs(db, [fields]);
  return job!;
}

export async function jobRow(db: Database, id: string) {
  const [job] = await db.select().from(jobs).where(eq(jobs.id, id));
  return job!;
}

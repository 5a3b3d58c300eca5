import { eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { placeOf } from "./places.ts";
import { type ListedJob, listJobs } from "../find.server.ts";
import { jobs } from "../tables.server.ts";

export type SimilarJob = Pick<ListedJob, "id" | "title" | "company" | "location" | "jobType">;

const lookedAt = 100;
const mostShown = 4;

/** The newest open jobs of the same type that share most with a job: words of the title, the place. */
export async function findSimilarJobs(db: Database, id: string): Promise<SimilarJob[]> {
  const [gone] = await db
    .select({ title: jobs.title, location: jobs.location, jobType: jobs.jobType })
    .from(jobs)
    .where(eq(jobs.id, id));
  if (!gone) return [];
  const open = await listJobs(db, { type: gone.jobType, limit: lookedAt });
  return open.jobs
    .map((job) => ({ job, shared: likeness(gone, job) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, mostShown)
    .map(({ job: { id, title, company, location, jobType } }) => ({
      id,
      title,
      company,
      location,
      jobType,
    }));
}

type Compared = { title: string; location: string };

/** How many words the titles share, and half a word for the same place. */
function likeness(one: Compared, other: Compared): number {
  const words = wordsOf(other.title);
  const shared = [...wordsOf(one.title)].filter((word) => words.has(word)).length;
  return shared > 0 && samePlace(one.location, other.location) ? shared + 0.5 : shared;
}

function wordsOf(title: string): Set<string> {
  return new Set(title.toLowerCase().match(/[\p{L}\p{M}\p{N}]{2,}/gu));
}

function samePlace(one: string, other: string): boolean {
  const [from, to] = [placeOf(one), placeOf(other)];
  return from && to ? from.north === to.north && from.east === to.east : one === other;
}

import { and, eq, not, type SQL, sql } from "drizzle-orm";
import { holds, type Order } from "../platform/list.server.ts";
import type { JobType } from "./rules.ts";
import { jobs } from "./tables.server.ts";

/** What every list of jobs for everybody reads. */
export const listed = {
  id: jobs.id,
  title: jobs.title,
  company: jobs.company,
  location: jobs.location,
  jobType: jobs.jobType,
  compensation: jobs.compensation,
  postedAt: jobs.postedAt,
};

/** The jobs that the public sees. */
export const isOpen = not(jobs.isArchived);

/** The one rule by which every list of jobs is searched and filtered; "" and null find all. */
export function matches({
  search,
  type,
}: {
  search: string;
  type: JobType | null;
}): SQL | undefined {
  return and(
    type ? eq(jobs.jobType, type) : undefined,
    search ? holds(jobs.searchText, search, asSearched) : undefined,
  );
}

const asSearched = (letters: string) => sql`lower(normalize(${letters}))`;

/** The order of every list of jobs. */
export const newestFirst: Order<{ postedAt: Date; id: string }> = {
  keys: [
    { by: jobs.postedAt, type: "timestamptz", of: ({ postedAt }) => postedAt },
    { by: jobs.id, type: "uuid", of: ({ id }) => id },
  ],
  direction: "desc",
};

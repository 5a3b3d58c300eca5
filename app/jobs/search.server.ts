import { and, eq, not, type SQL, sql } from "drizzle-orm";
import { isUuid } from "../platform/uuid.ts";
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
  return and(type ? eq(jobs.jobType, type) : undefined, contains(search));
}

function contains(search: string): SQL | undefined {
  if (!search) return undefined;
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  const found = sql`${jobs.searchText} like lower(normalize(${pattern}))`;
  // Without three letters in a row there is no trigram to look up.
  const isShort = !/[\p{L}\p{N}]{3}/u.test(search);
  return isShort
    ? and(sql`letter_pairs(${jobs.searchText}) @> letter_pairs(lower(normalize(${search})))`, found)
    : found;
}

/** The jobs behind a cursor in a list of the newest first; one that is none leaves the whole list. */
export function behind(cursor: string | null): SQL | undefined {
  const place = cursor === null ? null : readCursor(cursor);
  return place
    ? sql`(${jobs.postedAt}, ${jobs.id}) < (${place.postedAt.toISOString()}::timestamptz, ${place.id}::uuid)`
    : undefined;
}

type Place = { postedAt: Date; id: string };

/** The place of a job in a list of the newest first, for an address. */
export function writeCursor({ postedAt, id }: Place): string {
  return Buffer.from(`${postedAt.getTime()}.${id}`).toString("base64url");
}

/** @returns null for what is no cursor */
function readCursor(cursor: string): Place | null {
  const [milliseconds, id, ...rest] = Buffer.from(cursor, "base64url").toString().split(".");
  if (!milliseconds || !/^\d{1,14}$/.test(milliseconds) || !id || !isUuid(id) || rest.length > 0)
    return null;
  return { postedAt: new Date(Number(milliseconds)), id };
}

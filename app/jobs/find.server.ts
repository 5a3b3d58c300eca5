import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { type Database } from "../platform/database.server.ts";
import { buildOrder, countUpTo, type Part, readPage } from "../platform/lists/list.server.ts";
import type { Count } from "../platform/lists/lists.ts";
import { toSearchForm } from "../platform/text/text.ts";
import { formatCheckedOn, formatClosing } from "./check-rules.ts";
import type { Discipline } from "./details.ts";
import { detailColumns, withJobTexts } from "./job-facts.server.ts";
import { listPlacesIn } from "./places/parse-places.server.ts";
import {
  type JobTexts,
  type JobType,
  type PublicJob,
  summaryLength,
  truncateSummary,
} from "./rules.ts";
import { jobs } from "./tables.server.ts";

export type ListedJob = Omit<PublicJob, "description"> &
  JobTexts & {
    /** Cut to the length of a card. */
    summary: string;
    postedAt: Date;
    /** True while we check it after several reports. */
    isReported: boolean;
    discipline: Discipline | null;
    /** "Checked Nov 18, 2026" or "Not checked yet" */
    check: string;
    isChecked: boolean;
    /** "Apply by Dec 12, 2026" */
    applyBy: string | null;
  };

const jobsPerPage = 20;

/**
 * Lists open jobs that meet a condition, newest first or by pay.
 *
 * @param list a filter, or parts of one
 * @param list.query.after the cursor from an earlier page; an invalid one means the first page
 */
export async function listJobs(
  db: Database,
  {
    condition,
    query: { sort = "newest", after = null } = {},
    limit = jobsPerPage,
  }: {
    condition?: SQL | undefined;
    query?: { sort?: "newest" | "pay"; after?: string | null };
    limit?: number;
  },
) {
  const order = sort === "pay" ? highestPayFirst : newestFirst;
  const page = await readPage(order, { cursor: after, size: limit }, (part) =>
    selectListed(db, inArray(jobs.id, selectIds(db, condition, part))).orderBy(...part.orderBy),
  );
  return { jobs: page.rows.map(toListedJob), next: page.next };
}

/** Finds those of some jobs that are open now, as the board lists them, newest first. */
export async function findOpenJobs(db: Database, ids: readonly string[]): Promise<ListedJob[]> {
  if (ids.length === 0) return [];
  const rows = await selectListed(db, and(inArray(jobs.id, [...ids]), isOpen)).orderBy(
    desc(jobs.postedAt),
    desc(jobs.id),
  );
  return rows.map(toListedJob);
}

function selectListed(db: Database, condition: SQL | undefined) {
  return db
    .select({
      ...listed,
      checkedAt: jobs.checkedAt,
      closesOn: jobs.closesOn,
      // Reads enough to know if the text must be cut, and to avoid splitting a long character.
      summary: sql<string>`left(${jobs.description}, ${summaryLength + 100})`,
      payYear: jobs.payYear,
    })
    .from(jobs)
    .where(condition)
    .$dynamic();
}

function toListedJob({
  payYear: _payYear,
  checkedAt,
  closesOn,
  ...job
}: Awaited<ReturnType<typeof selectListed>>[number]): ListedJob {
  return {
    ...withJobTexts(job),
    discipline: job.details.discipline,
    check: formatCheckedOn(checkedAt),
    isChecked: checkedAt !== null,
    applyBy: formatClosing(closesOn),
    summary: truncateSummary(job.summary),
  };
}

/** Selects the ids of a page. An index has all columns that filters need, so that only the found rows are read. */
function selectIds(db: Database, condition: SQL | undefined, part: Part) {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isOpen, condition, part.where))
    .orderBy(...part.orderBy)
    .limit(part.limit);
}

/**
 * Counts the open jobs that meet a condition, up to 1,000, or up to 100 for a search. Searching more rows would take
 * longer than the list itself.
 */
export async function countJobs(
  db: Database,
  { condition, query }: { condition?: SQL | undefined; query?: { search: string } },
): Promise<Count> {
  return countUpTo(db, jobs, and(isOpen, condition), {
    ...(query?.search && { max: 100 }),
    orderBy: [desc(jobs.postedAt), desc(jobs.id)],
  });
}

/** The columns of every public job list. */
export const listed = {
  id: jobs.id,
  title: jobs.title,
  company: jobs.company,
  location: jobs.location,
  jobType: jobs.jobType,
  compensation: jobs.compensation,
  postedAt: jobs.postedAt,
  isReported: sql<boolean>`${jobs.reportedAt} is not null`,
  details: detailColumns,
};

export type SimilarJob = Pick<
  ListedJob,
  "id" | "title" | "company" | "location" | "jobType" | "pay"
>;

const maxCompared = 100;
const maxSimilar = 4;

/** Lists other open jobs of the same type that share title words with a job, most similar first. */
export async function listSimilarJobs(db: Database, id: string): Promise<SimilarJob[]> {
  const { title, location, jobType } = jobs;
  const rows = await db
    .select({ id: jobs.id, title, location, jobType })
    .from(jobs)
    .where(eq(jobs.id, id));
  const [similar = []] = await listSimilarToEach(db, rows);
  return similar;
}

/**
 * Lists other open jobs that share title words with each of several jobs, most similar first. It reads the open jobs
 * once for each type.
 *
 * @param compared a job whose type is null is compared with jobs of all types
 */
export async function listSimilarToEach(
  db: Database,
  compared: (Compared & { jobType: JobType | null })[],
): Promise<SimilarJob[][]> {
  const types = [...new Set(compared.map(({ jobType }) => jobType))];
  const open = new Map<JobType | null, ListedJob[]>();
  for (const type of types) {
    const condition = type ? eq(jobs.jobType, type) : undefined;
    open.set(type, (await listJobs(db, { condition, limit: maxCompared })).jobs);
  }
  return compared.map((job) => pickSimilar(job, open.get(job.jobType) ?? []));
}

function pickSimilar(compared: Compared, open: ListedJob[]): SimilarJob[] {
  return open
    .filter(({ id }) => id !== compared.id)
    .map((job) => ({ job, shared: similarity(compared, job) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, maxSimilar)
    .map(({ job: { id, title, company, location, jobType, pay } }) => ({
      id,
      title,
      company,
      location,
      jobType,
      pay,
    }));
}

type Compared = { id: string | null; title: string; location: string };

/** Counts the words that both titles share, plus half a word for the same place. */
function similarity(one: Pick<Compared, "title" | "location">, other: typeof one): number {
  const words = extractWords(other.title);
  const shared = [...extractWords(one.title)].filter((word) => words.has(word)).length;
  return shared > 0 && isSamePlace(one.location, other.location) ? shared + 0.5 : shared;
}

function extractWords(title: string): Set<string> {
  return new Set(toSearchForm(title).match(/[\p{L}\p{M}\p{N}]{2,}/gu));
}

function isSamePlace(one: string, other: string): boolean {
  const [[from], [to]] = [listPlacesIn(one), listPlacesIn(other)];
  return from && to ? from === to : toSearchForm(one) === toSearchForm(other);
}

/**
 * The jobs that the public sees. Lapsing is decided here, when a job is read, so that no job stays because a task
 * did not run.
 */
export const isOpen = sql`(not ${jobs.isArchived} and (${jobs.liveUntil} is null or ${jobs.liveUntil} > now()))`;

/** The listings that have left the board by themselves, and that no task has archived yet. */
export const hasLapsed = sql`(not ${jobs.isArchived} and ${jobs.liveUntil} <= now())`;

/**
 * True in SQL for a listing that names a contact, or has a link to write to one. Imported fields may have nothing but
 * invisible characters.
 */
export const namesContact = sql<boolean>`trim(search_form(concat_ws(' ', ${jobs.pocName}, ${jobs.pocContact},
  ${jobs.directApplicationLink}))) <> ''`;

/** The order of every list of jobs. */
export const newestFirst = buildOrder("desc", { postedAt: jobs.postedAt, id: jobs.id });

/** The order by pay. Jobs without comparable pay are last. */
const highestPayFirst = buildOrder("desc", { payYear: jobs.payYear, id: jobs.id }, "pay");

import { sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { facets } from "../details.ts";
import { hasLapsed, isOpen } from "../find.server.ts";
import { boardCounts, jobs } from "../tables.server.ts";
import { toArray } from "./filter-condition.server.ts";
import { listPlaceFacets } from "./filter-places.server.ts";

/** The rows of `board_counts` that aren't facets. */
const row = {
  /** Changes with each write to `jobs`. */
  changes: -1,
  /** The number of listings that have lapsed and aren't archived yet. Lapsing writes nothing to `jobs`. */
  lapsed: -2,
  open: 0,
  /** Work in a place or remote work open to it, as the filter finds it. */
  place: (id: number) => 400_000_000 + id,
};

/** Counts the open jobs again, each minute. */
export const updateBoardCountsTask: Task<object> = {
  name: "update-board-counts",
  schedule: "* * * * *",
  run: async (_data, { db }) => void (await updateBoardCounts(db)),
};

/** The number of places whose jobs are counted. */
const maxPlaces = 100;

/**
 * Counts the open jobs with each facet and those of the most frequent places, unless `jobs` is unchanged and none
 * has lapsed.
 *
 * @returns false if nothing changed
 */
export async function updateBoardCounts(db: Database): Promise<boolean> {
  return db.transaction(
    async (tx) => {
      // Readers don't wait for this lock.
      await tx.execute(sql`lock table ${boardCounts} in share row exclusive mode`);
      const state = await countChanges(tx);
      const saved = new Map(
        (await tx.select().from(boardCounts)).map(({ facet, jobs: number }) => [facet, number]),
      );
      if (state.every(([facet, number]) => saved.get(facet) === number)) return false;
      const rows = new Map([...state, ...(await countOpenJobs(tx))]);
      await tx.delete(boardCounts);
      await tx
        .insert(boardCounts)
        .values([...rows].map(([facet, number]) => ({ facet, jobs: number })));
      return true;
    },
    { isolationLevel: "repeatable read" },
  );
}

/**
 * Returns two numbers for `board_counts`. One changes within seconds after each write to `jobs`, since PostgreSQL counts
 * the written rows, and the other when a listing lapses.
 */
async function countChanges(tx: Database): Promise<[number, number][]> {
  const { rows } = await tx.execute<{ changes: number }>(sql`
    select ((n_tup_ins + n_tup_upd + n_tup_del) % 2000000000)::int as changes
    from pg_stat_user_tables where relid = 'jobs'::regclass`);
  const lapsed = await tx.$count(jobs, hasLapsed);
  return [
    [row.changes, rows[0]?.changes ?? 0],
    [row.lapsed, lapsed],
  ];
}

async function countOpenJobs(tx: Database): Promise<[number, number][]> {
  const { rows } = await tx.execute<{ facet: number; jobs: number }>(sql`
    select facet, count(*)::int as jobs from ${jobs}, unnest(${jobs.facets}) as facet
    where ${isOpen} and facet < ${facets.applicantPlace(0)} group by facet`);
  const open = await tx.$count(jobs, isOpen);
  const isPlace = ({ facet }: { facet: number }) => facet >= facets.workPlace(0);
  const places = rows
    .filter(isPlace)
    .toSorted((one, other) => other.jobs - one.jobs || one.facet - other.facet)
    .slice(0, maxPlaces)
    .map(({ facet }) => facet - facets.workPlace(0));
  return [
    [row.open, open],
    ...rows.filter((one) => !isPlace(one)).map((one): [number, number] => [one.facet, one.jobs]),
    ...(await countPlaces(tx, places)),
  ];
}

/** Counts the jobs that each place finds. Jobs with the same places are counted first, since they are many. */
async function countPlaces(tx: Database, ids: number[]): Promise<[number, number][]> {
  if (ids.length === 0) return [];
  const choices = ids.map((id) => sql`(${id}::int, ${toArray(listPlaceFacets({ ids: [id] }))})`);
  const { rows } = await tx.execute<{ id: number; jobs: number }>(sql`
    with alike as (
      select array(select facet from unnest(${jobs.facets}) as facet
        where facet >= ${facets.workPlace(0)} order by facet) as places, count(*) as jobs
      from ${jobs} where ${isOpen} group by 1
    )
    select choice.id, sum(alike.jobs)::int as jobs
    from alike join (values ${sql.join(choices, sql`, `)}) as choice (id, facets)
      on alike.places && choice.facets
    group by choice.id`);
  return rows.map(({ id, jobs: number }) => [row.place(id), number]);
}

export type BoardCounts = {
  /** The number of open jobs. */
  open: number;
  /** The number of open jobs by facet. */
  facets: Map<number, number>;
  /** The number of jobs that each of the most frequent places finds, by its id. */
  places: Map<number, number>;
};

/** Returns the counts of all open jobs, at most about a minute old; null before the first count. */
export async function findBoardCounts(db: Database): Promise<BoardCounts | null> {
  return toBoardCounts(await db.select().from(boardCounts));
}

function toBoardCounts(rows: { facet: number; jobs: number }[]): BoardCounts | null {
  const open = rows.find(({ facet }) => facet === row.open);
  if (!open) return null;
  const select = (first: number, last: number) =>
    rows
      .filter(({ facet }) => facet >= first && facet <= last)
      .map((one): [number, number] => [one.facet - first, one.jobs]);
  return {
    open: open.jobs,
    facets: new Map(select(0, facets.unstated.pay)),
    places: new Map(select(row.place(0), Infinity)),
  };
}

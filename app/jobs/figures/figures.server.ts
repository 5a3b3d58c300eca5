import { and, desc, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { day, formatMonthDay, getDayStart, now, toIsoDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { isOpen, namesContact } from "../find.server.ts";
import { jobDays, jobs } from "../tables.server.ts";

/** Views of a listing's page, and presses: its portal opened, its contact seen, the listing saved. */
type Figure = "views" | "portal" | "contact" | "saves";

/** Something that people did with a listing on a day in India, and how often. */
export type DayCount = { jobId: string; day: string; times: number };

/**
 * Adds to a figure of listings that companies posted. Others have no figures. Processes that add at the same time lose
 * nothing.
 */
export async function addToFigure(
  db: Database,
  figure: Figure,
  counts: readonly DayCount[],
): Promise<void> {
  const column = sql.identifier(figure);
  const columnOf = (name: keyof DayCount) => sql.param(counts.map((row) => row[name]));
  // In one order, so that two processes never wait for each other's rows.
  await db.execute(sql`
    insert into ${jobDays} (job_id, day, ${column})
    select ${jobs.id}, counted.day, counted.times
    from unnest(${columnOf("jobId")}::uuid[], ${columnOf("day")}::date[], ${columnOf("times")}::integer[])
      as counted (job_id, day, times)
    join ${jobs} on ${jobs.id} = counted.job_id and ${jobs.companyId} is not null
    where ${isCountable[figure] ?? sql`true`}
    order by counted.job_id, counted.day
    on conflict (job_id, day) do update set ${column} = ${jobDays}.${column} + excluded.${column}`);
}

/** A contact is counted before its page is read. The other figures are counted once it was shown. */
const isCountable: Partial<Record<Figure, SQL>> = { contact: sql`${isOpen} and ${namesContact}` };

/**
 * Adds one press on a listing to its figure of today. The last statement of its transaction, since presses on the same
 * listing wait for each other.
 */
export function countPress(
  tx: Database,
  jobId: string,
  figure: Exclude<Figure, "views">,
): Promise<void> {
  return addToFigure(tx, figure, [{ jobId, day: toIsoDay(now()), times: 1 }]);
}

const listedDays = 30;

const noFigures = { views: 0, portal: 0, contact: 0, saves: 0 };
export type Figures = Record<Figure, number>;

/** The sums of the last 30 days, and the days with any figure, the latest first. */
export type ListingFigures = { sums: Figures; days: ({ day: string } & Figures)[] };

/** Lists the figures of some listings by their ids. The caller has checked that the reader is in their company. */
export async function listFigures(
  db: Database,
  jobIds: readonly string[],
): Promise<Map<string, ListingFigures>> {
  if (jobIds.length === 0) return new Map();
  const earlier = toIsoDay(new Date(now().getTime() - listedDays * day));
  const rows = await db
    .select()
    .from(jobDays)
    .where(and(inArray(jobDays.jobId, [...jobIds]), gt(jobDays.day, earlier)))
    .orderBy(desc(jobDays.day));
  const byJob = new Map(
    jobIds.map((id) => [id, { sums: { ...noFigures }, days: [] }]) as [string, ListingFigures][],
  );
  for (const { jobId, day: on, ...figures } of rows) {
    const { sums, days } = byJob.get(jobId)!;
    for (const name of figureNames) sums[name] += figures[name];
    days.push({ day: formatMonthDay(getDayStart(on)), ...figures });
  }
  return byJob;
}

const figureNames = Object.keys(noFigures) as Figure[];

/** Companies compare a month with the same one a year before. */
const storedFor = 400 * day;

/** Deletes figures of more than 400 days ago, and returns the number of deleted rows. */
export async function deleteOldFigures(db: Database): Promise<number> {
  const oldest = toIsoDay(new Date(now().getTime() - storedFor));
  const { rowCount } = await db.delete(jobDays).where(lt(jobDays.day, oldest));
  return rowCount ?? 0;
}

import { sql } from "drizzle-orm";
import type { Database } from "../../app/platform/database.server.ts";

const maxSets = 4_096;

/** The columns of a set of details, in the order of the table `details`. */
export const detailColumns = sql.raw(
  "job_type, discipline, work_mode, place_ids, applicant_place_ids, experience_min, experience_max, skill_ids, " +
    "pay_min, pay_max, pay_period, pay_currency, test_task, facets, pay_year",
);

/**
 * Fills a temporary table `details` with generated details, numbered from 0, and their facets from the trigger. As on a
 * real board, a few values are in many sets, and a tenth or more of the sets lack each of them.
 *
 * @returns the number of sets, at most one for each of `count` jobs
 */
export async function createDetails(tx: Database, count: number): Promise<number> {
  const sets = Math.min(maxSets, count);
  await tx.execute(sql`
    create temp table details on commit drop as
    select 0 as number, ${detailColumns} from jobs with no data`);
  // The trigger is quick for a few thousand sets, but not for a million jobs.
  await tx.execute(sql`alter table jobs enable trigger jobs_facets`);
  await tx.execute(sql`
    with inserted as (
      insert into jobs (title, company, location, description, posted_at, job_type, discipline, work_mode, place_ids,
        applicant_place_ids, experience_min, experience_max, skill_ids, pay_min, pay_max, pay_period, pay_currency,
        test_task)
      ${selectDetails(sets)}
      returning ${detailColumns}
    )
    insert into details select row_number() over () - 1, * from inserted`);
  await tx.execute(sql`alter table jobs disable trigger jobs_facets`);
  await tx.execute(sql`delete from jobs where title = ${title}`);
  await tx.execute(sql`analyze details`);
  return sets;
}

const title = "Generated details";

function selectDetails(sets: number) {
  return sql`
    select ${title}, '', '', '', now(), job_type, discipline, work_mode,
      array(select id from places where slug = any (array[city, other_city])),
      case when work_mode = 'remote' then ${oneOf(["{356}", "{356}", "{356}", "{0}", "{1014}"], 21)}::int[] else '{}' end,
      experience, experience + 1 + ${draw(22)} % 4,
      array(select distinct 1 + (least(a, b) % 60)::smallint from (
        select ${draw(23, sql`skill`)} as a, ${draw(24, sql`skill`)} as b
        from generate_series(1, (${draw(25)} % 7)::int) as skill) as drawn),
      case when pay_period is not null then pay_min end,
      case when pay_period is not null then pay_min * 3 / 2 end,
      pay_period,
      ${oneOf([..."INR ".repeat(19).trim().split(" "), "EUR"], 26)},
      ${oneOf([...repeat(null, 7), "none", "unpaid", "paid"], 35)}
    from generate_series(0, ${sets - 1}::integer) as n
    cross join lateral (
      select
        ${oneOf([...repeat("Full-time", 14), ...repeat("Part-time", 3), ...repeat("Internship", 3)], 27)} as job_type,
        ${oneOf([...repeat("product", 5), ...repeat("ux", 4), ...repeat("ui", 3), ...repeat("graphic", 3), "brand", "motion", "research", "industrial", "game", null, null], 28)} as discipline,
        ${oneOf([...repeat("on-site", 9), ...repeat("hybrid", 6), ...repeat("remote", 3), null, null], 29)} as work_mode,
        ${oneOf([...repeat("bengaluru", 6), ...repeat("mumbai", 4), ...repeat("delhi", 2), ...repeat("pune", 2), "hyderabad", "chennai", "gurugram", "kochi", "jaipur", null, null], 30)} as city,
        ${oneOf([...repeat(null, 16), "noida", "ahmedabad", "indore", "london"], 31)} as other_city,
        ${oneOf([null, "0", "0", "1", "1", "2", "3", "4", "5", "8", "12"], 32)}::smallint as experience,
        ${oneOf([...repeat(null, 12), ...repeat("year", 5), "month", "hour", "project"], 33)} as pay_period,
        (1 + ${draw(34)} % 30) as lakhs
    ) as drawn
    cross join lateral (
      select (case pay_period when 'month' then lakhs * 8000 when 'hour' then lakhs * 50 else lakhs * 100000 end)::int as pay_min
    ) as paid`;
}

function repeat<Value>(value: Value, times: number): Value[] {
  return Array.from({ length: times }, () => value);
}

function oneOf(values: (string | null)[], seed: number) {
  const list = values.map((value) => sql`${value}::text`);
  return sql`(array[${sql.join(list, sql`, `)}])[1 + ${draw(seed)} % ${sql.raw(String(values.length))}]`;
}

/** Returns a number from 0 to 9,999 that depends only on the set, the seed and `more`. */
function draw(seed: number, more = sql`0`) {
  return sql`(abs(hashint8extended(n::bigint * 61 + ${more}, ${sql.raw(String(seed))}) % 10000))`;
}

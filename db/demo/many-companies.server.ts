import { type SQL, sql } from "drizzle-orm";
import { companyKeyPrefix } from "../../app/jobs/replies/company-key.ts";
import { getRecordWeeks } from "../../app/jobs/replies/reply-records.server.ts";
import type { Database } from "../../app/platform/database.server.ts";

/** A company for this many jobs. */
const jobsPerCompany = 100;

/** The days with figures of a listing, for the newest listings. */
const figureDays = 30;
const listingsWithFigures = 20_000;

/** The tables that `insertManyCompanies` fills with as many rows as there are jobs. */
export const companyTables = ["job_submissions", "job_days"];

/**
 * Gives two fifths of the generated jobs to generated companies for benchmarks. The largest company, "studio-1", has a
 * twentieth of them, most have a few. A twentieth waits as an import too, which is more than the benchmark publishes.
 * A third of the companies has a record of replies.
 *
 * @param count the number of generated jobs
 */
export async function insertManyCompanies(tx: Database, count: number, until: Date): Promise<void> {
  const companies = Math.max(10, Math.ceil(count / jobsPerCompany));
  const at = sql`${until.toISOString()}::timestamptz`;
  await tx.execute(sql`
    insert into companies (id, slug, name, website, domain, about, state, created_at, confirmed_at, decided_at)
    select ${companyId(sql`n`)}, 'studio-' || n, 'Studio ' || n, 'https://studio' || n || '.example',
      'studio' || n || '.example', 'We design with care.', 'approved', ${at}, ${at}, ${at}
    from generate_series(1, ${companies}::integer) n`);
  await tx.execute(sql`
    insert into reply_records (company_key, week, people, within, later)
    select ${companyKeyPrefix}::text || ${companyId(sql`n * 3`)}, ${getRecordWeeks(until).everyone}::date, 9, 7, 1
    from generate_series(1, ${Math.floor(companies / 3)}::integer) n`);
  await insertListings(tx, companies, at);
}

async function insertListings(tx: Database, companies: number, at: SQL): Promise<void> {
  // The third power makes the first companies large.
  const owner = sql`1 + floor(${companies}::integer *
    power(abs(${drawn(1)} % 1000000) / 1000000.0, 3))::integer`;
  await tx.execute(sql`
    update jobs set company_id = ${companyId(owner)} where abs(${drawn(2)} % 5) < 2`);
  await tx.execute(sql`
    insert into job_submissions (company_id, job_id, fields, state, created_at, updated_at, changed_at, sent_at, decided_at)
    select company_id, id, '{}', 'live', posted_at, posted_at, posted_at, posted_at, posted_at
    from jobs where company_id is not null`);
  await tx.execute(sql`
    insert into job_submissions (company_id, source, fields, state, created_at, updated_at, changed_at, sent_at)
    select company_id, 'import', jsonb_build_object('title', title, 'location', location, 'description', description,
        'largeDescription', large_description, 'portalApplicationLink', portal_application_link || '/new'),
      'waiting', posted_at, posted_at, posted_at, posted_at
    from jobs where company_id is not null and abs(${drawn(3)} % 20) = 0`);
  await tx.execute(sql`
    insert into job_days (job_id, day, views, portal)
    select id, (${at} - day * interval '1 day')::date, 20, 2
    from (select id from jobs where company_id is not null order by posted_at desc limit ${listingsWithFigures}) newest
    cross join generate_series(0, ${figureDays - 1}::integer) day`);
}

function companyId(number: SQL): SQL {
  return sql`md5('company ' || ${number})::uuid`;
}

/** Returns a number that depends only on a job's minute and the seed. */
function drawn(seed: number): SQL {
  return sql`hashint8extended(extract(epoch from posted_at)::bigint / 60, ${sql.raw(String(seed))})`;
}

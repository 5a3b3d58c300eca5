import { sql } from "drizzle-orm";
import { type Database, openDatabase } from "../app/platform/database.server.ts";

/** An index of a table that may already be large. A new definition needs a new name. */
export type OnlineIndex = {
  name: string;
  /** The table, columns and options, as in CREATE INDEX. */
  on: string;
  /** An earlier index, dropped once this one is ready. */
  replaces?: string;
};

/**
 * The indexes on tables of earlier migrations. CREATE INDEX CONCURRENTLY doesn't block writes, but it can't run in a
 * migration, which is a transaction. An index of a new table is in its migration.
 */
export const onlineIndexes: readonly OnlineIndex[] = [
  {
    name: "orders_settled_at",
    on: "orders (settled_at) where status = 'success'",
  },
  {
    name: "jobs_of_company",
    on: "jobs (company_id, is_archived, posted_at, id) where company_id is not null",
  },
  {
    name: "jobs_unlinked_company",
    on: "jobs (lower(company), posted_at, id) where company_id is null",
  },
  {
    name: "companies_contacts",
    on: "companies using gin (contacts_in(coalesce(name, '') || ' ' || coalesce(about, '')))",
  },
  {
    name: "jobs_contact_named",
    on: "jobs (contact_named_at) where not is_archived and contact_named_at is not null",
  },
  {
    name: "jobs_same_summary",
    on: "jobs (md5(search_form(description)), posted_at, id) where not is_archived",
  },
  {
    name: "job_submissions_latest",
    on: "job_submissions (company_id, changed_at, id)",
  },
  {
    name: "orders_with_details",
    on: "orders (coalesce(settled_at, created_at)) where checkout_fields <> '{}'",
  },
  ...["review_drafts", "review_orders", "service_reviews"].map((table) => ({
    name: `${table}_second_look`,
    on: `${table} (second_look_of) where second_look_of is not null`,
  })),
  {
    name: "review_assignments_fees",
    on: "review_assignments (reviewer_id, completed_at) include (fee_paise) where fee_paise is not null",
  },
  {
    name: "review_assignments_fees_taken_back",
    on: "review_assignments (reviewer_id, fee_taken_back_at) where fee_taken_back_at is not null",
  },
];

const indexesLock = 727_275;

/**
 * Creates the missing indexes and validates constraints without blocking reads or writes. If another process does it
 * already, this one returns immediately. After an interruption, the next start continues.
 *
 * @param url not a pooler's, since the lock belongs to the connection
 * @param indexes for tests
 */
export async function createOnlineIndexes(url: string, indexes = onlineIndexes): Promise<void> {
  const { db, close } = openDatabase(url, { max: 1 });
  try {
    if (!(await claimLock(db))) return;
    try {
      for (const index of indexes) await createIndex(db, index);
      await checkConstraints(db);
    } finally {
      // The server would release it too, but some time after the connection has closed.
      await db.execute(sql`select pg_advisory_unlock(${indexesLock})`);
    }
  } finally {
    await close();
  }
}

async function claimLock(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_lock(${indexesLock}) as locked`,
  );
  return rows[0]!.locked;
}

async function createIndex(db: Database, { name, on, replaces }: OnlineIndex): Promise<void> {
  const { rows } = await db.execute<{ valid: boolean }>(
    sql`select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`,
  );
  if (!rows[0]?.valid) {
    // An interrupted CREATE INDEX CONCURRENTLY leaves an invalid index.
    await db.execute(sql.raw(`drop index concurrently if exists ${name}`));
    await db.execute(sql.raw(`create index concurrently ${name} on ${on}`));
  }
  if (replaces) await db.execute(sql.raw(`drop index concurrently if exists ${replaces}`));
}

/** Checks old rows for constraints that a migration added as NOT VALID, since it would keep its lock too long. */
async function checkConstraints(db: Database): Promise<void> {
  const { rows } = await db.execute<{ statement: string }>(sql`
    select format('alter table %s validate constraint %I', conrelid::regclass, conname) as statement
    from pg_constraint where contype in ('c', 'f') and not convalidated and connamespace = 'public'::regnamespace`);
  for (const { statement } of rows) await db.execute(sql.raw(statement));
}

import { sql } from "drizzle-orm";
import { outdatedFacets } from "../app/jobs/outdated-facets.ts";
import { withoutDetails } from "../app/jobs/suggest-details/without-details.ts";
import { buildTextContacts } from "../app/checks/contact/naming-texts.server.ts";
import { auditContacts, jobContacts } from "../app/checks/contact/listings-of-contact.server.ts";
import { type Database, openDatabase } from "../app/platform/database.server.ts";

/** An index of a large table. A new definition needs a new name. */
type OnlineIndex = {
  name: string;
  /** The table, columns and options, as in CREATE INDEX. */
  on: string;
  /** An earlier index, dropped once this one is ready. */
  replaces?: string;
};

/**
 * CREATE INDEX CONCURRENTLY doesn't block writes, but it can't run in a migration, which is a transaction. The table
 * definitions don't name these indexes, since they can't express INCLUDE.
 */
export const onlineIndexes: readonly OnlineIndex[] = [
  { name: "jobs_facets", on: "jobs using gin (facets)" },
  {
    name: "jobs_board_facets",
    on: "jobs (is_archived, posted_at, id) include (facets, live_until)",
    replaces: "jobs_board",
  },
  {
    name: "jobs_published",
    on: "jobs (is_archived, published_at, id) include (facets, live_until)",
  },
  { name: "jobs_check_due", on: "jobs (check_due_at) where not is_archived" },
  {
    name: "jobs_check_order",
    on: `jobs ((case when checked_at is null and lapses then case when follows_removal then 0 else 1 end
      when check_due_at is null then 3 else 2 end),
      coalesce(check_due_at, posted_at), id) where not is_archived`,
    replaces: "jobs_check_queue",
  },
  {
    name: "jobs_live_until",
    on: "jobs (live_until) where not is_archived and live_until is not null",
  },
  // Empty once a task has written the facets of all rows from before the latest version of the trigger.
  {
    name: "jobs_outdated_facets",
    on: `jobs (id) where ${outdatedFacets}`,
    replaces: "jobs_without_facets",
  },
  {
    name: "jobs_without_details",
    on: `jobs (posted_at, id) include (live_until) where ${withoutDetails}`,
  },
  {
    name: "jobs_by_pay_facets",
    on: "jobs (is_archived, pay_year, id) include (facets, live_until)",
  },
  // For removing a contact, whose address and numbers may be anywhere.
  { name: "jobs_contacts", on: `jobs using gin (${jobContacts})`, replaces: "jobs_emails" },
  {
    name: "audit_events_job_contacts",
    on: `audit_events using gin (${auditContacts}) where subject_type = 'job'`,
    replaces: "audit_events_job_emails",
  },
  {
    name: "job_reports_contacts",
    on: `job_reports using gin (${buildTextContacts("report")})`,
  },
  {
    name: "contact_messages_contacts",
    on: `contact_messages using gin (${buildTextContacts("message")})`,
  },
  {
    name: "contact_answers_contacts",
    on: `contact_answers using gin (${buildTextContacts("answer")})`,
  },
  // The copies of deleted listings.
  { name: "tracked_jobs_gone", on: "tracked_jobs (url) where job_id is null and url <> ''" },
];

const indexesLock = 727_275;

/**
 * Creates the missing indexes and validates constraints without blocking reads or writes. If another process does it
 * already, this one returns immediately. After an interruption, the next start continues.
 *
 * @param url not a pooler's, since the lock belongs to the connection
 */
export async function createOnlineIndexes(url: string): Promise<void> {
  const { db, close } = openDatabase(url, { max: 1 });
  try {
    if (!(await claimLock(db))) return;
    for (const index of onlineIndexes) await createIndex(db, index);
    await checkConstraints(db);
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
    from pg_constraint where contype = 'c' and not convalidated and connamespace = 'public'::regnamespace`);
  for (const { statement } of rows) await db.execute(sql.raw(statement));
}

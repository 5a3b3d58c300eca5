import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { now } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { people } from "../../tests/support/rows/people.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { insertManyForAdmins } from "../../tests/support/rows/many-for-admins.ts";
import { insertManyJobs } from "./many-jobs.server.ts";
import { insertManyReviews } from "./many-reviews.server.ts";

test("fillFast restores indexes, keys, triggers and settings", async () => {
  const { db } = await testDatabase();
  await people(db);
  const before = await definitions(db);
  expect(before.length).toBeGreaterThan(100);
  await insertManyReviews(db, 50, now());
  await insertManyJobs(db, 50, now());
  await insertManyForAdmins(db, 50, now());
  expect(await definitions(db)).toEqual(before);
});

/** Returns the definitions of all indexes, constraints, triggers and table settings. */
async function definitions(db: Database): Promise<unknown[]> {
  const { rows } = await db.execute<{ definition: string }>(sql`
    select indexdef as definition from pg_indexes where schemaname = 'public'
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
      from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
    union all
    select concat_ws(' ', oid::regclass, reloptions) from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by definition`);
  return rows;
}

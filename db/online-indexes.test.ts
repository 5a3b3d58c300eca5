import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../tests/support/product/database.ts";
import { createOnlineIndexes, onlineIndexes } from "./online-indexes.ts";

const { db, url } = await testDatabase();

async function listIndexes() {
  const { rows } = await db.execute<{ name: string; valid: boolean; oid: number }>(sql`
    select relname as name, indisvalid as valid, indexrelid::int as oid
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relname ~ '^(jobs|audit_events|job_reports|contact|tracked_jobs)_' order by relname`);
  return rows;
}

test("all indexes exist and are valid, and another start changes nothing", async () => {
  const before = await listIndexes();
  for (const { name } of onlineIndexes)
    expect(before).toContainEqual(expect.objectContaining({ name, valid: true }));
  await createOnlineIndexes(url);
  expect(await listIndexes()).toEqual(before);
});

test("an index that an interruption left invalid is made again", async () => {
  await db.execute(sql`drop index jobs_facets`);
  await db.execute(sql`
    insert into jobs (title, company, location, job_type, description, posted_at)
    select 'Same', 'Company', 'Pune', 'Full-time', 'Text', now() from generate_series(1, 2)`);
  await expect(
    db.execute(sql`create unique index concurrently jobs_facets on jobs (title)`),
  ).rejects.toThrow();
  expect(await listIndexes()).toContainEqual(
    expect.objectContaining({ name: "jobs_facets", valid: false }),
  );
  await createOnlineIndexes(url);
  expect(await listIndexes()).toContainEqual(
    expect.objectContaining({ name: "jobs_facets", valid: true }),
  );
});

test("an index is dropped only once its replacement is ready", async () => {
  await db.execute(sql`create index jobs_board on jobs (is_archived, posted_at, id)`);
  await createOnlineIndexes(url);
  expect((await listIndexes()).map(({ name }) => name)).not.toContain("jobs_board");
});

test("a constraint that was added without a check of old rows is validated", async () => {
  await db.execute(sql`alter table jobs add constraint jobs_sample check (title <> '') not valid`);
  await createOnlineIndexes(url);
  const { rows } = await db.execute(
    sql`select convalidated from pg_constraint where conname in ('jobs_sample', 'jobs_details_valid')`,
  );
  expect(rows).toEqual([{ convalidated: true }, { convalidated: true }]);
});

test("processes that start together create each index once", async () => {
  await db.execute(sql`drop index jobs_facets`);
  await Promise.all([1, 2, 3].map(() => createOnlineIndexes(url)));
  await createOnlineIndexes(url);
  expect((await listIndexes()).filter(({ name }) => name === "jobs_facets")).toHaveLength(1);
});

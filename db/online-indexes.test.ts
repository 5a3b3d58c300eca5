import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../tests/support/product/database.ts";
import { createOnlineIndexes, type OnlineIndex, onlineIndexes } from "./online-indexes.ts";

const { db, url } = await testDatabase();
const indexes: OnlineIndex[] = [
  { name: "samples_letters", on: "samples using gin (letters)" },
  { name: "samples_title", on: "samples (title) include (letters)", replaces: "samples_former" },
];

beforeEach(async () => {
  await db.execute(sql`drop table if exists samples`);
  await db.execute(sql`create table samples (title text, letters text[])`);
});

async function listIndexes(table = "samples") {
  const { rows } = await db.execute<{ name: string; valid: boolean; oid: number }>(sql`
    select relname as name, indisvalid as valid, indexrelid::int as oid
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = ${table}::regclass order by relname`);
  return rows;
}

test("the product's own indexes exist and are valid", async () => {
  for (const { name, on } of onlineIndexes)
    expect(await listIndexes(/^\w+/.exec(on)![0])).toContainEqual(
      expect.objectContaining({ name, valid: true }),
    );
});

test("all indexes are created and valid, and another start changes nothing", async () => {
  await createOnlineIndexes(url, indexes);
  const created = await listIndexes();
  expect(created).toMatchObject([
    { name: "samples_letters", valid: true },
    { name: "samples_title", valid: true },
  ]);
  await createOnlineIndexes(url, indexes);
  expect(await listIndexes()).toEqual(created);
});

test("an index that an interruption left invalid is made again", async () => {
  await db.execute(sql`insert into samples (title) values ('Same'), ('Same')`);
  await expect(
    db.execute(sql`create unique index concurrently samples_letters on samples (title)`),
  ).rejects.toThrow();
  expect(await listIndexes()).toMatchObject([{ name: "samples_letters", valid: false }]);
  await createOnlineIndexes(url, indexes);
  expect(await listIndexes()).toContainEqual(
    expect.objectContaining({ name: "samples_letters", valid: true }),
  );
});

test("an index is dropped only once its replacement is ready", async () => {
  await db.execute(sql`create index samples_former on samples (title)`);
  await db.execute(sql`alter table samples rename column letters to signs`);
  await expect(createOnlineIndexes(url, indexes.slice(1))).rejects.toThrow();
  expect((await listIndexes()).map(({ name }) => name)).toContain("samples_former");
  await db.execute(sql`alter table samples rename column signs to letters`);
  await createOnlineIndexes(url, indexes.slice(1));
  expect((await listIndexes()).map(({ name }) => name)).toEqual(["samples_title"]);
});

test("a constraint that was added without a check of old rows is validated", async () => {
  await db.execute(sql`alter table samples add constraint titled check (title <> '') not valid`);
  await createOnlineIndexes(url, []);
  const { rows } = await db.execute(
    sql`select convalidated from pg_constraint where conname = 'titled'`,
  );
  expect(rows).toEqual([{ convalidated: true }]);
});

test("processes that start together create each index once", async () => {
  await Promise.all([1, 2, 3].map(() => createOnlineIndexes(url, indexes)));
  await createOnlineIndexes(url, indexes);
  expect(await listIndexes()).toHaveLength(indexes.length);
});

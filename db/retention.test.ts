import { readFileSync } from "node:fs";
import { format, type FormatConfig } from "oxfmt";
import { getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { expiring } from "../server/services/tasks.ts";
import { answerTo } from "../tests/support/product/operator.ts";
import { testDatabase } from "../tests/support/product/database.ts";
import { retention } from "./retention.ts";
import * as schema from "./schema.ts";

const { db } = await testDatabase();

test("every table has a row, and every row a table", () => {
  const tables = Object.values<unknown>(schema).flatMap((table) =>
    is(table, PgTable) ? getTableName(table) : [],
  );
  expect(Object.keys(retention).toSorted()).toEqual(tables.toSorted());
});

test("each row names a kind of expired data, and each kind has a row", () => {
  const named = Object.values(retention).flatMap(({ deletedBy }) => deletedBy ?? []);
  expect(new Set(named)).toEqual(
    new Set([...Object.keys(expiring), "closed accounts", "unused files"]),
  );
});

/** Delete the page and run this test to generate it again. */
test("docs/retention.md has the same rows", async () => {
  await expect(await buildPage()).toMatchFileSnapshot("../docs/retention.md");
});

test("every table with a person's id says what closing an account does with it", async () => {
  const { rows } = await db.execute<{ table: string }>(sql`
    select distinct conrelid::regclass::text as table from pg_constraint
    where contype = 'f' and confrelid in ('users'::regclass, 'profiles'::regclass)`);
  const silent = rows.map(({ table }) => table).filter((table) => !retention[table]?.closing);
  expect(silent).toEqual([]);
});

test("the operator's list counts what would be deleted, and deletes nothing", async () => {
  const { data, text } = await answerTo(db, ["retention"]);
  expect(data).toHaveLength(Object.keys(retention).length);
  expect(data).toContainEqual({ table: "mails", howLong: "30 days", goesNow: 0 });
  expect(text).toMatch(/^mails +30 days +0$/m);
});

function buildPage(): Promise<string> {
  const rows = Object.entries(retention).map(
    ([table, { holds, howLong, deletedBy, closing }]) =>
      `| \`${table}\` | ${holds} | ${howLong} | ${deletedBy ?? ""} | ${closing ?? ""} |`,
  );
  const begin = `# How long data is stored

Every table of the database. The task \`forget-expired\` deletes what is in the last column each hour, and the file tasks
delete unused files each night. \`npm run admin -- retention\` counts what would be deleted now.

The page is generated from [\`db/retention.ts\`](../db/retention.ts).

A closed account is purged two weeks after closing. The last column says what happens to the rows of that person.

| table | it holds | stored | deleted as | closing an account |
| --- | --- | --- | --- | --- |`;
  return formatMarkdown(`${begin}\n${rows.join("\n")}\n`);
}

async function formatMarkdown(text: string): Promise<string> {
  const options = JSON.parse(readFileSync(".oxfmtrc.json", "utf8")) as FormatConfig;
  return (await format("retention.md", text, options)).code;
}

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, test } from "vitest";
import { applyMigrations } from "../../app/platform/database.server.ts";
import { prepareDatabase } from "../../db/prepare-database.ts";
import { emptyDatabase } from "../support/product/database.ts";

test("concurrent migrations apply once, and another run changes nothing", async () => {
  const url = await emptyDatabase();
  await Promise.all([1, 2, 3, 4].map(() => applyMigrations(url)));
  await applyMigrations(url);
  const migrations = (await readdir("db/migrations")).filter((file) => file.endsWith(".sql"));
  const { rows } = await query(
    url,
    "select count(*)::int as applied from drizzle.__drizzle_migrations",
  );
  expect(rows).toEqual([{ applied: migrations.length }]);
});

test("the tables in TypeScript match the migrations", async () => {
  // Inside the project, because the tool accepts only relative paths, but outside the build's sources.
  await mkdir(".react-router", { recursive: true });
  const copy = await mkdtemp(join(".react-router", "drift-"));
  try {
    await cp("db/migrations", copy, { recursive: true });
    const args = [
      "generate",
      "--dialect",
      "postgresql",
      "--schema",
      "./db/schema.ts",
      "--out",
      copy,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [
      "node_modules/drizzle-kit/bin.cjs",
      ...args,
    ]);
    expect(stdout).toContain("No schema changes");
  } finally {
    await rm(copy, { recursive: true });
  }
});

test("no migration builds an index on an existing table, which would block its writes", async () => {
  const found: string[] = [];
  for (const file of await readdir("db/migrations"))
    if (file.endsWith(".sql"))
      for (const index of listBlockingIndexes(await readFile(join("db/migrations", file), "utf8")))
        found.push(`${file}: ${index} belongs in db/online-indexes.ts`);
  expect(found).toEqual([]);
});

test.each([
  ["create index jobs_title on jobs (title);", ["jobs_title"]],
  ['CREATE UNIQUE INDEX "jobs_title" ON "jobs" USING btree ("title");', ["jobs_title"]],
  ['CREATE INDEX IF NOT EXISTS "a" ON ONLY public."jobs" ("title");', ["a"]],
  ["create table teams (id int);\ncreate index teams_id on teams (id);", []],
  ['CREATE TABLE "teams" ("id" int);\nCREATE INDEX "a" ON "jobs" ("id");', ["a"]],
  ["-- create index a on jobs (id);", []],
])("%j builds the indexes %j on existing tables", (migration, indexes) => {
  expect(listBlockingIndexes(migration)).toEqual(indexes);
});

/** Lists the indexes that a migration builds on tables that it doesn't create. */
function listBlockingIndexes(migration: string): string[] {
  const text = migration.replace(/--.*$/gm, "");
  const name = String.raw`(?:"?\w+"?\.)?"?(\w+)"?`;
  const tables = new RegExp(String.raw`create table (?:if not exists )?${name}`, "gi");
  const created = new Set([...text.matchAll(tables)].map(([, table]) => table));
  const indexes = new RegExp(
    String.raw`create (?:unique )?index (?:if not exists )?${name}\s+on\s+(?:only\s+)?${name}`,
    "gi",
  );
  return [...text.matchAll(indexes)].flatMap(([, index = "", table = ""]) =>
    created.has(table) ? [] : [index],
  );
}

test("only the last migration has a snapshot, since they are thousands of lines each", async () => {
  const migrations = (await readdir("db/migrations")).filter((file) => file.endsWith(".sql"));
  const last = migrations.toSorted().at(-1)!.slice(0, 4);
  expect((await readdir("db/migrations/meta")).toSorted()).toEqual([
    `${last}_snapshot.json`,
    "_journal.json",
  ]);
});

test("a database of an earlier commit is refused in one sentence, and stays as it is", async () => {
  const url = await emptyDatabase();
  await query(
    url,
    `create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('earlier', 1785000000000);
    create table users (name text)`,
  );
  await expect(prepareDatabase(url)).rejects.toThrow(
    /^This database was made by an earlier commit.*: start with an empty DATA_DIR or DATABASE_URL, or run the commit that made it\.$/,
  );
  const { rows } = await query(
    url,
    `select table_name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  expect(rows).toEqual([{ table_name: "__drizzle_migrations" }, { table_name: "users" }]);
});

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { migrateDatabase } from "../app/platform/database.server.ts";

const made: string[] = [];

afterAll(async () => {
  for (const name of made) await query(inject("postgresUrl"), `drop database ${name} with (force)`);
});

test("processes that start together migrate once, and again changes nothing", async () => {
  const url = await emptyDatabase();
  await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(url)));
  await migrateDatabase(url);
  const migrations = (await readdir("db/migrations")).filter((file) => file.endsWith(".sql"));
  const { rows } = await query(
    url,
    "select count(*)::int as applied from drizzle.__drizzle_migrations",
  );
  expect(rows).toEqual([{ applied: migrations.length }]);
});

test("the tables in TypeScript are those of the migrations", async () => {
  // Beside the migrations, since the tool takes relative folders only.
  const copy = await mkdtemp(join("db", "drift-"));
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

async function emptyDatabase(): Promise<string> {
  const name = `migrations_${randomUUID().replaceAll("-", "")}`;
  made.push(name);
  await query(inject("postgresUrl"), `create database ${name}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

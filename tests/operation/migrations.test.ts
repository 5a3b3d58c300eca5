import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { applyMigrations } from "../../app/platform/database.server.ts";
import { dropDatabase } from "../support/product/own-postgres.ts";
import { productOn } from "../support/product/running.ts";
import { ownFolder } from "../support/product/own-folder.ts";

const databases: string[] = [];

afterAll(async () => {
  for (const name of databases) await dropDatabase(inject("postgresUrl"), name);
});

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
    if (file.endsWith(".sql") && file >= firstChecked)
      for (const index of listBlockingIndexes(await readFile(join("db/migrations", file), "utf8")))
        found.push(`${file}: ${index} belongs in db/online-indexes.ts`);
  expect(found).toEqual([]);
});

/** Earlier migrations ran before any installation had rows. */
const firstChecked = "0043";

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

test("a session from before token hashing keeps working with its cookie", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, await migrationsBefore("0009_session_hashes"));
  const userId = randomUUID();
  await query(
    url,
    `insert into users (id, name, email, email_verified, created_at, updated_at)
      values ('${userId}', 'Asha Verma', 'asha@example.com', true, now(), now());
    insert into profiles (id, full_name, created_at) values ('${userId}', 'Asha Verma', now());
    insert into sessions (user_id, token, created_at, updated_at, expires_at)
      values ('${userId}', 'Xp2sAb9QeTfD0uJk7LmZ4VwRyGcH1NiO', now() - interval '40 days',
        now() - interval '2 days', now() + interval '28 days')`,
  );
  const { product, config } = await productOn(url);
  onTestFinished(() => product.close());
  const { origin, port } = config;
  const profile = (cookie: string) =>
    fetch(`${origin}/profile`, { redirect: "manual", headers: { cookie } });
  const old = `session-${port}=Xp2sAb9QeTfD0uJk7LmZ4VwRyGcH1NiO.c2lnbmF0dXJl%2Bof%2Fold%3D`;
  const first = await profile(old);
  expect(first.status).toBe(200);
  expect(await first.text()).toContain("Your Review Services");
  // Last used two days ago, so the session is extended and the cookie sent again.
  const renewed = /^session-\d+=Xp2sAb9QeTfD0uJk7LmZ4VwRyGcH1NiO(?=;)/.exec(
    first.headers.getSetCookie().join("\n"),
  )?.[0];
  expect((await profile(renewed!)).status).toBe(200);
  expect((await profile(`session-${port}=another.c2lnbmF0dXJl`)).status).toBe(302);
});

test("an order from before review_orders existed keeps its materials", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, await migrationsBefore("0013_review_orders"));
  const draftId = randomUUID();
  const portfolioUrl = "https://asha.example.com";
  const materials = { resumePath: "a/1.pdf", portfolioPath: null, portfolioUrl };
  const purposes = {
    TXN_A: {
      kind: "review",
      serviceType: "combined_review",
      draftId,
      draftRevision: 3,
      ...materials,
    },
    TXN_B: { kind: "review", serviceType: "resume_review", resumePath: "a/2.pdf" },
    TXN_C: { kind: "compass" },
    TXN_D: {},
  };
  for (const [orderId, purpose] of Object.entries(purposes)) {
    await query(
      url,
      `insert into orders (order_id, amount, status, purpose, checkout_fields, created_at)
        values ('${orderId}', '299.00', 'pending', '${JSON.stringify(purpose)}', '{}', now())`,
    );
  }
  await applyMigrations(url);
  const { rows } = await query(url, "select * from review_orders order by order_id");
  const [full, bare, ...others] = rows as object[];
  expect(full).toEqual({
    order_id: "TXN_A",
    draft_id: draftId,
    draft_revision: 3,
    service_type: "combined_review",
    resume_file_path: "a/1.pdf",
    portfolio_url: portfolioUrl,
    portfolio_file_path: null,
    brief: null,
  });
  expect(bare).toMatchObject({ order_id: "TXN_B", resume_file_path: "a/2.pdf" });
  expect(others).toEqual([]);
});

test("earlier messages count from when they were sent, and closed ones are settled", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, await migrationsBefore("0030_message_deadlines"));
  await query(
    url,
    `insert into contact_messages (ticket, name, email, subject, message, created_at, state)
      select ticket, 'Asha', 'asha@example.com', 'Hello', 'Hello', '2026-01-31T10:00:00Z', state
      from (values ('open', 'open'), ('replied', 'answered'), ('done', 'closed')) as v (ticket, state)`,
  );
  await query(
    url,
    `insert into contact_answers (message_id, at, author_name, answer)
      select id, '2026-02-01T10:00:00Z', 'Gita Menon', 'Yes.' from contact_messages
      where ticket = 'replied'`,
  );
  await applyMigrations(url);
  const { rows } = await query(
    url,
    `select ticket, acknowledged_at, settled_at, acknowledge_by, next_due_at
      from contact_messages order by ticket`,
  );
  const sent = new Date("2026-01-31T10:00:00Z");
  const readBy = new Date("2026-02-02T10:00:00Z");
  const replied = new Date("2026-02-01T10:00:00Z");
  const settleBy = new Date("2026-02-28T10:00:00Z");
  const row = (ticket: string, read: Date | null, settled: Date | null, next: Date | null) => ({
    ticket,
    acknowledged_at: read,
    settled_at: settled,
    acknowledge_by: readBy,
    next_due_at: next,
  });
  expect(rows).toEqual([
    row("done", sent, sent, null),
    row("open", null, null, readBy),
    row("replied", replied, null, settleBy),
  ]);
});

test("earlier confirmed accounts accepted the first notice, but did not say that they are adults", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, await migrationsBefore("0031_consents"));
  await query(
    url,
    `insert into users (name, email, email_verified, created_at, updated_at)
      values ('Asha Verma', 'asha@example.com', true, '2025-08-01T10:00:00Z', now()),
        ('Nobody', 'never@example.com', false, now(), now())`,
  );
  await applyMigrations(url);
  const { rows } = await query(
    url,
    `select users.email, purpose, notice_version, given_at, withdrawn_at, how
      from consents join users on users.id = user_id`,
  );
  expect(rows).toEqual([
    {
      email: "asha@example.com",
      purpose: "account",
      notice_version: "2025-05-01",
      given_at: new Date("2025-08-01T10:00:00Z"),
      withdrawn_at: null,
      how: "before",
    },
  ]);
});

test("invisible characters are removed from old texts, and nothing else changes", async () => {
  const url = await emptyDatabase();
  await applyMigrations(url, await migrationsBefore("0029_search_form"));
  const insert = `insert into jobs (title, company, location, job_type, description, large_description,
      portal_application_link, posted_at, updated_at)
    values ($1, $2, 'Pune', 'Full-time', $3, $4, $5, now(), '2026-01-01')`;
  const shaped = "अवन्\u200dक्\u200cष 👩🏽\u200d🎨 ❤\ufe0f می\u200cخواهم";
  const address = "https://example.com/re\u0301sume\u0301";
  await query(url, insert, [
    "\ufeffBrand\u00a0Desig\u200bner\u00ad",
    "Cafe\u0301\u202c",
    `${shaped}\u2060`,
    "One\r\ntwo\u2028three\u3000four",
    `${address}\u200b`,
  ]);
  const plain = ["Brand Designer", "Café", shaped, "One\n\n  two", address];
  await query(url, insert, plain);
  await applyMigrations(url);
  const columns = "title, company, description, large_description, portal_application_link";
  const { rows } = await query(url, `select ${columns}, updated_at from jobs order by id`);
  const cleaned = [...plain];
  cleaned[3] = "One\ntwo\nthree four";
  const texts = rows.map((row) => Object.values(row as object).slice(0, plain.length));
  expect(texts).toHaveLength(2);
  expect(texts).toEqual(expect.arrayContaining([plain, cleaned]));
  // updated_at must not change for people who have the listing open.
  expect(new Set(rows.map((row) => String((row as { updated_at: Date }).updated_at))).size).toBe(1);
});

/** Copies the migrations before this one to a folder. */
async function migrationsBefore(tag: string): Promise<string> {
  const copy = ownFolder(onTestFinished);
  await cp("db/migrations", copy, { recursive: true });
  const file = join(copy, "meta/_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8")) as { entries: { tag: string }[] };
  const entries = journal.entries.slice(
    0,
    journal.entries.findIndex((one) => one.tag === tag),
  );
  expect(entries.length).toBeGreaterThan(0);
  await writeFile(file, JSON.stringify({ ...journal, entries }));
  return copy;
}

async function emptyDatabase(): Promise<string> {
  const name = `migrations_${randomUUID().replaceAll("-", "")}`;
  databases.push(name);
  await query(inject("postgresUrl"), `create database ${name}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text, values).finally(() => client.end());
}

import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { loadSitemapRun, listSitemapRuns, type SitemapJob } from "./sitemap.server.ts";
import { jobs } from "../tables.server.ts";

const { db } = await testDatabase();
const count = 120_000;

beforeAll(async () => {
  // These indexes are not tested here, and filling them takes most of the time.
  await db.execute(sql`drop index jobs_search; drop index jobs_search_short`);
  await db.execute(sql`
    insert into jobs (title, company, location, job_type, description, posted_at, updated_at, is_archived)
    select 'Designer', 'Studio', 'Pune', 'Full-time', 'Text',
      timestamptz '2026-01-01' + n / 3 * interval '1 second',
      case when n % 10 = 0 then timestamptz '2026-06-01' + n * interval '1 second' end, n % 100 = 0
    from generate_series(1, ${count}) n`);
});

test("every open job is in one sitemap, fifty thousand per sitemap", async () => {
  const runs = await listSitemapRuns(db);
  expect(runs).toHaveLength(3);
  const seen: string[][] = [];
  for (const run of runs) {
    const ids: string[] = [];
    for await (const part of loadSitemapRun(db, run)) {
      expect(part.length).toBeLessThanOrEqual(5000);
      ids.push(...part.map(({ id }) => id));
    }
    seen.push(ids);
  }
  expect(seen.map(({ length }) => length)).toEqual([50_000, 50_000, count * 0.99 - 100_000]);
  expect(new Set(seen.flat()).size).toBe(count * 0.99);
});

test("the last change is the job's update or its posting", async () => {
  const [run] = await listSitemapRuns(db);
  const parts: SitemapJob[][] = [];
  for await (const part of loadSitemapRun(db, run!)) parts.push(part);
  const changes = parts.flat().map(({ changedAt }) => changedAt);
  expect(changes[0]).toEqual(new Date("2026-01-01T00:00:00Z"));
  expect(changes.find((change) => change > new Date("2026-05-01"))).toEqual(
    new Date("2026-06-01T00:00:10Z"),
  );
});

test("a new job changes only the last run", async () => {
  const before = await listSitemapRuns(db);
  const { id } = await insertJob(db, { postedAt: new Date("2026-07-01") });
  onTestFinished(async () => void (await db.delete(jobs).where(eq(jobs.id, id))));
  const after = await listSitemapRuns(db);
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[2]?.fingerprint).not.toBe(before[2]?.fingerprint);
});

test("without jobs there are no sitemaps", async () => {
  const empty = await testDatabase();
  expect(await listSitemapRuns(empty.db)).toEqual([]);
});

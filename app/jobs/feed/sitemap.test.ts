import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { loadSitemapRun, listSitemapRuns, type SitemapJob, sitemapSize } from "./sitemap.server.ts";
import { jobs } from "../tables.server.ts";

const { db } = await testDatabase();
const count = 1200;
const size = { addresses: 500, part: 50 };

beforeAll(async () => {
  await db.execute(sql`
    insert into jobs (title, company, location, job_type, description, posted_at, updated_at, is_archived)
    select 'Designer', 'Studio', 'Pune', 'Full-time', 'Text',
      timestamptz '2026-01-01' + n / 3 * interval '1 second',
      case when n % 10 = 0 then timestamptz '2026-06-01' + n * interval '1 second' end, n % 100 = 0
    from generate_series(1, ${count}) n`);
});

test("a sitemap has as many addresses as the protocol allows", () => {
  expect(sitemapSize.addresses).toBe(50_000);
});

test("every open job is in one sitemap, and each is full but the last", async () => {
  const runs = await listSitemapRuns(db, size);
  expect(runs).toHaveLength(3);
  const seen: string[][] = [];
  for (const run of runs) {
    const ids: string[] = [];
    for await (const part of loadSitemapRun(db, run, size)) {
      expect(part.length).toBeLessThanOrEqual(size.part);
      ids.push(...part.map(({ id }) => id));
    }
    seen.push(ids);
  }
  expect(seen.map(({ length }) => length)).toEqual([500, 500, count * 0.99 - 1000]);
  expect(new Set(seen.flat()).size).toBe(count * 0.99);
});

test("the last change is the job's update or its posting", async () => {
  const [run] = await listSitemapRuns(db, size);
  const parts: SitemapJob[][] = [];
  for await (const part of loadSitemapRun(db, run!, size)) parts.push(part);
  const changes = parts.flat().map(({ changedAt }) => changedAt);
  expect(changes[0]).toEqual(new Date("2026-01-01T00:00:00Z"));
  expect(changes.find((change) => change > new Date("2026-05-01"))).toEqual(
    new Date("2026-06-01T00:00:10Z"),
  );
});

test("a new job changes only the last run", async () => {
  const before = await listSitemapRuns(db, size);
  const { id } = await insertJob(db, { postedAt: new Date("2026-07-01") });
  onTestFinished(async () => void (await db.delete(jobs).where(eq(jobs.id, id))));
  const after = await listSitemapRuns(db, size);
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[2]?.fingerprint).not.toBe(before[2]?.fingerprint);
});

test("without jobs there are no sitemaps", async () => {
  const empty = await testDatabase();
  expect(await listSitemapRuns(empty.db)).toEqual([]);
});

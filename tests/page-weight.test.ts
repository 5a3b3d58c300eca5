import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobs } from "../app/jobs/tables.server.ts";
import { now } from "../app/platform/clock.ts";
import { insertManyJobs } from "../db/demo/many-jobs.server.ts";
import { publicPages, scriptsOf } from "./support/page-scripts.ts";
import { people } from "./support/people.ts";
import { runningApp } from "./support/running.ts";

const kilobyte = 1024;
const mostScript = 130 * kilobyte;
const mostFonts = 100 * kilobyte;

const { db, origin } = await runningApp(async (database) => {
  await people(database);
  await insertManyJobs(database, 5, now());
});
const [job] = await db
  .select({ id: jobs.id })
  .from(jobs)
  .where(eq(jobs.isArchived, false))
  .limit(1);

test.each([...publicPages, `/jobs/${job!.id}`])(
  "a visitor to %s loads 130 KB of script at most",
  async (path) => {
    const answer = await fetch(origin + path);
    const scripts = await scriptsOf(await answer.text());
    const total = [...scripts.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50 * kilobyte);
    expect(total).toBeLessThanOrEqual(mostScript);
  },
);

test("all fonts together are 100 KB at most", async () => {
  const folder = "build/client/assets";
  const fonts = (await readdir(folder)).filter((file) => file.endsWith(".woff2"));
  const sizes = await Promise.all(fonts.map(async (file) => (await stat(join(folder, file))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(mostFonts);
  expect(fonts.length).toBeGreaterThan(0);
});

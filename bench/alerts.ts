import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { runnerImport } from "vite";
import { disciplines, skills, workModes } from "../app/jobs/details.ts";
import { payLevels } from "../app/jobs/detail-limits.ts";
import { loadPlaces } from "../app/jobs/places/load-places.server.ts";
import { mails } from "../app/mail/tables.server.ts";
import { day, now, second } from "../app/platform/clock.ts";
import { readConfig } from "../app/platform/config.server.ts";
import { type Database, openDatabase } from "../app/platform/database.server.ts";
import { createLog } from "../app/platform/log.server.ts";
import { startTasks } from "../app/platform/tasks.server.ts";
import { getWindowEnd } from "../app/seekers/alerts/rules.ts";
import type * as SendAlerts from "../app/seekers/alerts/send-alerts.server.ts";
import { alerts } from "../app/seekers/alerts/tables.server.ts";
import { insertManyJobs, knownWords } from "../db/demo/many-jobs.server.ts";
import { prepareDatabase } from "../db/prepare-database.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";

/**
 * `npm run bench -- alerts` measures how long the digests of all due alerts take, until their emails are queued.
 *
 *   --alerts 10000   two for each address
 *   --new 5000       the jobs of their window
 *   --rows 100000    the jobs on the board
 */
const { values } = parseArgs({
  options: {
    alerts: { type: "string", default: "10000" },
    new: { type: "string", default: "5000" },
    rows: { type: "string", default: "100000" },
  },
});
/** The limit in seconds. */
const limit = 60;
const end = getWindowEnd("daily", now());

const modes = ["", "", ...workModes.map(({ value }) => `mode=${value}`)];
const places = [
  "",
  "bengaluru",
  "mumbai",
  "pune",
  "hyderabad",
  "delhi",
  "chennai",
  "kochi",
  "india",
];
const others = [
  "",
  "",
  ...skills.slice(0, 20).map(({ value }) => `skill=${value}`),
  ...payLevels.map(({ value }) => `pay=${value}`),
  "experience=3",
  "task=no-unpaid",
];

const postgres = await ownPostgres({ durable: true });
try {
  const url = process.env.TEST_DATABASE_URL!;
  await prepareDatabase(url);
  const database = openDatabase(url, { max: 5 });
  const log = createLog("error");
  const stopTasks = await startTasks(
    database,
    [{ name: "deliver-mail", run: async () => {} }],
    log,
    { work: false },
  );
  await fill(database.db);
  // Vite compiles the emails, which are written in JSX.
  const { module } = await runnerImport<typeof SendAlerts>(
    "./app/seekers/alerts/send-alerts.server.ts",
  );
  const start = performance.now();
  const queued = await module.sendDueAlerts({ db: database.db, log }, readConfig({}));
  await report(database.db, queued, (performance.now() - start) / second);
  await stopTasks();
  await database.close();
} finally {
  await postgres.end();
}

async function fill(db: Database): Promise<void> {
  await loadPlaces(db);
  await insertManyJobs(db, Number(values.rows), end);
  await db.execute(sql`
    update jobs set published_at = ${end.toISOString()}::timestamptz - random() * interval '23 hours'
    where id in (select id from jobs where not is_archived order by posted_at desc limit ${Number(values.new)})`);
  const count = Number(values.alerts);
  for (let first = 0; first < count; first += 1_000)
    await db.insert(alerts).values(
      Array.from({ length: Math.min(1_000, count - first) }, (_, index) => {
        const number = first + index;
        return {
          email: `reader${Math.floor(number / 2)}@example.com`,
          // The two alerts of an address always differ.
          query: pickQuery(number),
          frequency: "daily" as const,
          state: "active" as const,
          createdAt: new Date(end.getTime() - 2 * day),
          sentUntil: new Date(end.getTime() - day),
        };
      }),
    );
  await db.execute(sql`analyze`);
}

/** Returns the filters of an alert: a discipline or a search, and up to three others. */
function pickQuery(number: number): string {
  const pick = (list: readonly string[], step: number) =>
    list[Math.floor(number / step) % list.length]!;
  const search = number % 50 === 0 ? `search=${knownWords.common}` : "";
  const discipline = number % 50 === 0 ? "" : `discipline=${disciplines[number % 13]!.value}`;
  const place = pick(places, 3);
  return [search, discipline, pick(modes, 13), place && `place=${place}`, pick(others, 7)]
    .filter(Boolean)
    .join("&");
}

async function report(db: Database, queued: number, seconds: number): Promise<void> {
  const { rows } = await db.execute<{ queries: number; listed: number; bytes: number }>(sql`
    select (select count(distinct query) from ${alerts})::int as queries,
      (select avg(length(html)) from ${mails})::int as bytes`);
  const { queries, bytes } = rows[0]!;
  console.log(
    `${values.alerts} alerts with ${queries} different filters over ${values.new} new jobs of ${values.rows}: ` +
      `${queued} emails of ${Math.round(bytes / 1_000)} kB in ${seconds.toFixed(1)} s (limit ${limit} s)`,
  );
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`${memory} MB of memory at most`);
  if (seconds > limit) process.exitCode = 1;
}

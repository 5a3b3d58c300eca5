import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { company } from "../../../tests/support/rows/companies.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { createLog } from "../../platform/log.server.ts";
import { removeSavedJob, saveJob } from "../../seekers/tracker/save-job.server.ts";
import { countContactView } from "../contact/view-limit.server.ts";
import { jobDays, jobs } from "../tables.server.ts";
import { createViewCounter } from "./count-views.server.ts";
import { addToFigure, countPress, deleteOldFigures, listFigures } from "./figures.server.ts";

const { db, asha, ravi, gita } = await testPeople();
const log = createLog("silent");
const config = testConfig({ RATE_LIMITS: "off" });
let jobId: string;

beforeEach(async () => {
  await db.execute(sql`delete from jobs; delete from companies; delete from rate_limits`);
  const own = await company(db);
  jobId = (await insertJob(db, { companyId: own.id })).id;
  stopClock();
});

const listDays = () =>
  db.select().from(jobDays).where(eq(jobDays.jobId, jobId)).orderBy(jobDays.day);
const at = (moment: string) => vi.setSystemTime(new Date(moment));

test("views of several processes add up, also when they flush at once", async () => {
  at("2026-11-20T10:00:00Z");
  const counters = [createViewCounter({ db, log }), createViewCounter({ db, log })] as const;
  const other = await insertJob(db, { companyId: (await company(db)).id });
  for (const [index, counter] of counters.entries())
    for (const id of index === 0 ? [jobId, other.id, jobId] : [other.id, jobId]) counter.add(id);
  expect(await listDays()).toEqual([]);
  const [first, second] = [counters[0].flush, counters[1].flush];
  await Promise.all([first(), second(), first(), second()]);
  expect(await listDays()).toMatchObject([{ day: "2026-11-20", views: 3, portal: 0 }]);
  counters[1].add(jobId);
  await Promise.all(counters.map((counter) => counter.close()));
  expect(await listDays()).toMatchObject([{ views: 4 }]);
});

test("views are stored every ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  const counter = createViewCounter({ db, log });
  counter.add(jobId);
  vi.advanceTimersByTime(9_999);
  await db.execute(sql`select 1`);
  expect(await listDays()).toEqual([]);
  vi.advanceTimersByTime(1);
  await expect.poll(listDays).toMatchObject([{ views: 1 }]);
  await counter.close();
});

test("a flush that waits for another one adds to its figures", async () => {
  const add = (times: number) => [{ jobId, day: "2026-11-20", times }];
  await overlap(
    db,
    (tx) => addToFigure(tx, "views", add(2)),
    (other) => addToFigure(other, "views", add(3)),
  );
  expect(await listDays()).toMatchObject([{ views: 5 }]);
});

test("views that couldn't be stored are stored by the next flush", async () => {
  const broken = { execute: () => Promise.reject(new Error("no")) } as unknown as typeof db;
  const parts = { db: broken, log };
  const counter = createViewCounter(parts);
  counter.add(jobId);
  await counter.flush();
  counter.add(jobId);
  const mended = createViewCounter({ db, log });
  await mended.close();
  expect(await listDays()).toEqual([]);
  Object.assign(broken, { execute: db.execute.bind(db) });
  await counter.close();
  expect(await listDays()).toMatchObject([{ views: 2 }]);
});

test("a day ends at midnight in India", async () => {
  const counter = createViewCounter({ db, log });
  at("2026-11-20T18:29:59.999Z");
  counter.add(jobId);
  await countPress(db, jobId, "portal");
  at("2026-11-20T18:30:00.000Z");
  counter.add(jobId);
  await countPress(db, jobId, "portal");
  await counter.close();
  expect(await listDays()).toMatchObject([
    { day: "2026-11-20", views: 1, portal: 1 },
    { day: "2026-11-21", views: 1, portal: 1 },
  ]);
});

test("saving counts once, until the person removes the listing", async () => {
  const save = () => saveJob(db, asha, { jobId, state: "saved" });
  await Promise.all([save(), save()]);
  await saveJob(db, asha, { jobId, state: "applied" });
  expect(await listDays()).toMatchObject([{ saves: 1 }]);
  await saveJob(db, ravi, { jobId, state: "applied" });
  expect(await listDays()).toMatchObject([{ saves: 2 }]);
  await removeSavedJob(db, ravi, { jobId });
  expect(await listDays()).toMatchObject([{ saves: 2 }]);
});

test("a refused save counts nothing", async () => {
  await db.update(jobs).set({ isArchived: true }).where(eq(jobs.id, jobId));
  await expect(saveJob(db, asha, { jobId, state: "saved" })).rejects.toThrow("Job Not Found");
  expect(await listDays()).toEqual([]);
});

test("a contact counts once a person and day, and not for staff", async () => {
  at("2026-11-20T10:00:00Z");
  const see = (actor: typeof asha) => countContactView({ db, config }, actor, jobId);
  await Promise.all([see(asha), see(asha), see(ravi), see(gita)]);
  expect(await listDays()).toMatchObject([{ day: "2026-11-20", contact: 2 }]);
  at("2026-11-21T10:00:00Z");
  await see(asha);
  expect(await listDays()).toMatchObject([{ contact: 2 }, { day: "2026-11-21", contact: 1 }]);
});

test.each([
  ["closed", { isArchived: true }],
  ["without a contact", { pocName: null, pocContact: " ", directApplicationLink: null }],
  ["of staff", { companyId: null }],
])("a listing %s has no contact to see, or no figures", async (_what, fields) => {
  await db.update(jobs).set(fields).where(eq(jobs.id, jobId));
  await countContactView({ db, config }, asha, jobId);
  expect(await listDays()).toEqual([]);
});

test("views of a deleted listing are dropped, and the others stored", async () => {
  const counter = createViewCounter({ db, log });
  const gone = await insertJob(db, { companyId: (await company(db)).id });
  counter.add(gone.id);
  counter.add(jobId);
  await db.delete(jobs).where(eq(jobs.id, gone.id));
  await counter.close();
  expect(await db.select().from(jobDays)).toMatchObject([{ jobId, views: 1 }]);
});

test("a listing has the sums of the last 30 days, with the latest day first", async () => {
  at("2026-11-30T10:00:00Z");
  const days = [
    ["2026-10-31", 100],
    ["2026-11-01", 1],
    ["2026-11-30", 2],
  ] as const;
  for (const [day, times] of days) await addToFigure(db, "views", [{ jobId, day, times }]);
  await addToFigure(db, "saves", [{ jobId, day: "2026-11-30", times: 4 }]);
  expect((await listFigures(db, [jobId])).get(jobId)).toEqual({
    sums: { views: 3, portal: 0, contact: 0, saves: 4 },
    days: [
      { day: "Nov 30", views: 2, portal: 0, contact: 0, saves: 4 },
      { day: "Nov 1", views: 1, portal: 0, contact: 0, saves: 0 },
    ],
  });
});

test("figures are deleted after 400 days", async () => {
  at("2026-11-30T10:00:00Z");
  for (const day of ["2025-10-25", "2025-10-26"])
    await addToFigure(db, "views", [{ jobId, day, times: 1 }]);
  expect(await deleteOldFigures(db)).toBe(1);
  expect(await listDays()).toMatchObject([{ day: "2025-10-26" }]);
});

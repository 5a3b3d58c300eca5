import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { insertJobs, type JobRow } from "../../../tests/support/rows/jobs.ts";
import { now } from "../../platform/clock.ts";
import { facets } from "../details.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { anywhere } from "../places/rules.ts";
import { jobs } from "../tables.server.ts";
import { findBoardCounts, updateBoardCounts } from "./board-counts.server.ts";
import { listFilterAddresses } from "./listed-filters.server.ts";
import { buildJobFilter } from "./job-filter.server.ts";
import { listFilterOptions } from "./filter-options.server.ts";

const { db } = await testDatabase();
const idOf = (slug: string) => findPlaceBySlug(slug)!.id;
const [pune, mumbai, india] = ["pune", "mumbai", "india"].map(idOf) as [number, number, number];

beforeEach(async () => {
  await db.delete(jobs);
  await countAgain();
});

/** PostgreSQL reports written rows a moment later, unless asked. */
async function countAgain(): Promise<boolean> {
  await db.execute(sql`select pg_stat_force_next_flush()`);
  return updateBoardCounts(db);
}

const post = (count: number, fields: JobRow = {}) =>
  insertJobs(db, Array<JobRow>(count).fill(fields));

test("the counts are those of all open jobs, and of a place those that its filter finds", async () => {
  await post(3, { discipline: "ux", placeIds: [pune] });
  await post(2, { workMode: "remote", applicantPlaceIds: [india] });
  await post(1, { workMode: "remote", applicantPlaceIds: [anywhere], placeIds: [mumbai] });
  await post(4, { discipline: "ux", placeIds: [pune], isArchived: true });
  expect(await countAgain()).toBe(true);
  const counts = await findBoardCounts(db);
  expect(counts!.open).toBe(6);
  expect(counts!.facets.get(facets.discipline("ux"))).toBe(3);
  expect(counts!.facets.get(facets.workMode("remote"))).toBe(3);
  expect(counts!.places.get(pune)).toBe(6);
  expect(counts!.places.get(mumbai)).toBe(3);
  expect(counts!.places.get(india)).toBe(6);
});

test("jobs are counted again when one lapses, although nothing is written", async () => {
  await post(2);
  await post(1, { liveUntil: new Date(now().getTime() + 500) });
  const countOpen = async () => {
    await countAgain();
    return (await findBoardCounts(db))!.open;
  };
  await countOpen();
  await expect.poll(countOpen).toBe(2);
  expect(await countAgain()).toBe(false);
});

test("search engines list the pages of filters with at least five jobs", async () => {
  await post(5, { discipline: "ux", workMode: "hybrid", placeIds: [pune], skillIds: [1, 2] });
  await post(4, { discipline: "brand", placeIds: [mumbai], skillIds: [2] });
  await countAgain();
  expect((await listFilterAddresses(db)).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    "/jobs?discipline=ux",
    "/jobs?mode=hybrid",
    "/jobs?place=india",
    "/jobs?place=maharashtra",
    "/jobs?place=pune",
    "/jobs?skill=figma",
    "/jobs?skill=sketch",
  ]);
});

test("an unchanged board isn't counted again", async () => {
  await post(1);
  expect(await countAgain()).toBe(true);
  expect(await countAgain()).toBe(false);
  await db.update(jobs).set({ isArchived: true }).where(eq(jobs.isArchived, false));
  expect(await countAgain()).toBe(true);
  expect((await findBoardCounts(db))!.open).toBe(0);
});

test("a board of many jobs shows the saved counts, but a filtered or a small one counts its own", async () => {
  await post(1_001, { discipline: "ux", workMode: "hybrid" });
  await countAgain();
  await post(1, { discipline: "brand" });
  const jobsOf = async (query = {}) => {
    const { options } = await listFilterOptions(db, buildJobFilter(query));
    return Object.fromEntries(options.discipline.map(({ value, jobs: count }) => [value, count]));
  };
  expect(await jobsOf()).toMatchObject({ ux: "1,001", brand: "0" });
  expect(await jobsOf({ type: "Full-time" })).toMatchObject({ ux: "999+", brand: "1+" });
  await db.delete(jobs);
  await post(2, { discipline: "game" });
  await countAgain();
  expect(await jobsOf()).toMatchObject({ ux: "0", game: "2" });
});

test("values that find nothing are shown only if they are chosen, except disciplines and modes", async () => {
  await post(2, { skillIds: [1], experienceMin: 3, experienceMax: 3 });
  const { options } = await listFilterOptions(db, buildJobFilter({}));
  expect(options.discipline).toHaveLength(14);
  expect(options.mode).toHaveLength(3);
  expect(options.skill).toEqual([{ value: "figma", label: "Figma", jobs: "2" }]);
  expect(options.experience.map(({ value }) => value)).toEqual(["3"]);
  const { options: chosen } = await listFilterOptions(
    db,
    buildJobFilter({ skill: ["cad"], place: ["kochi"], experience: 39 }),
  );
  expect(chosen.skill.map(({ value, jobs: count }) => [value, count])).toContainEqual(["cad", "0"]);
  expect(chosen.place).toEqual([{ value: "kochi", label: "Kochi", jobs: "0" }]);
  expect(chosen.experience.map(({ value }) => value)).toContain("39");
});

test("jobs left out by pay or experience are counted, with the other filters applied", async () => {
  await post(2, { discipline: "ux" });
  await post(1, { discipline: "brand" });
  await post(3, { discipline: "ux", payMax: 900, payPeriod: "hour", payCurrency: "EUR" });
  await post(4, { discipline: "ux", payMax: 900_000, payPeriod: "year", experienceMin: 1 });
  expect(await leftOut({ discipline: ["ux"], pay: "3" })).toEqual([
    { change: { pay: "unstated" }, label: "2 more don't state pay" },
    { change: { pay: "other" }, label: "3 more state pay per project or in another currency" },
  ]);
  expect(await leftOut({ discipline: ["ux"], experience: 4 })).toEqual([
    { change: { experience: "unstated" }, label: "5 more don't state experience" },
  ]);
  expect(await leftOut({ discipline: ["ux"], pay: "unstated" })).toEqual([]);
});

test("jobs that don't state a test task are counted, and those with an unpaid one left out", async () => {
  await post(3);
  await post(1, { testTask: "none" });
  await post(2, { testTask: "paid" });
  await post(4, { testTask: "unpaid" });
  const { options, total } = await listFilterOptions(db, buildJobFilter({ task: "no-unpaid" }));
  expect(total.counted).toBe(3);
  expect(options.task).toEqual([{ value: "no-unpaid", label: "No unpaid test task", jobs: "3" }]);
  expect(await leftOut({ task: "no-unpaid" })).toEqual([
    { change: { task: "unstated" }, label: "3 more don't state if there is a test task" },
  ]);
});

test("jobs without a place, discipline, skill or work mode are counted, with the other filters applied", async () => {
  await post(1);
  await post(2, { workMode: "remote", applicantPlaceIds: [india] });
  await post(3, { workMode: "remote", discipline: "ux", skillIds: [1] });
  await post(4, { placeIds: [mumbai], discipline: "brand" });
  expect(await leftOut({ place: ["pune"] })).toEqual([
    { change: { place: ["unstated"] }, label: "4 more don't state a place" },
  ]);
  expect(await leftOut({ place: ["pune"], mode: ["remote"] })).toEqual([
    { change: { place: ["unstated"] }, label: "3 more don't state a place" },
  ]);
  expect(await leftOut({ discipline: ["game"] })).toEqual([
    { change: { discipline: ["unstated"] }, label: "3 more don't state a discipline" },
  ]);
  expect(await leftOut({ skill: ["sketch"] })).toEqual([
    { change: { skill: ["unstated"] }, label: "7 more don't state skills" },
  ]);
  expect(await leftOut({ mode: ["hybrid"], discipline: ["unstated"] })).toEqual([
    { change: { mode: ["unstated"] }, label: "1 more doesn't state a work mode" },
  ]);
});

async function leftOut(query: object) {
  const listed = await listFilterOptions(db, buildJobFilter(query));
  return listed.leftOut;
}

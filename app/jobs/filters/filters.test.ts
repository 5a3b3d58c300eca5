import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { randomFilters, randomJob, randomPlaces } from "../../../tests/support/rows/random-jobs.ts";
import { countFacets } from "./count-facets.server.ts";
import {
  type ChosenFilters,
  type BoardQuery,
  emptyBoardQuery,
  type FilterName,
  filterGroups,
} from "./board-query.ts";
import { disciplines, facets, periodsPerYear, skills, workModes } from "../details.ts";
import { payLevels } from "../detail-limits.ts";
import { loadFeed } from "../feed/feed.server.ts";
import { findFilterPlaces } from "./filter-places.server.ts";
import { buildJobFilter } from "./job-filter.server.ts";
import { countJobs, listJobs } from "../find.server.ts";
import { getPlace, listPlaceAncestors } from "../places/find-places.server.ts";
import { anywhere } from "../places/rules.ts";
import { jobs } from "../tables.server.ts";

const { db } = await testDatabase();

type Row = typeof jobs.$inferSelect;

let rows: Row[] = [];

beforeAll(async () => {
  const made = fc.sample(randomJob, { numRuns: 300, seed: 7 });
  rows = await db.insert(jobs).values(made).returning();
});

/** The meaning of the filters, without facets. */
function isMatch(job: Row, query: ChosenFilters, except?: FilterName): boolean {
  const filters: ChosenFilters = except ? { ...query, [except]: emptyBoardQuery[except] } : query;
  const { discipline, mode, place, skill, experience, pay, task } = filters;
  const isAny = <Value>(chosen: readonly Value[], isIn: (value: Value) => boolean) =>
    chosen.length === 0 || chosen.some(isIn);
  return (
    !job.isArchived &&
    job.title.includes(filters.search) &&
    (filters.type === null || job.jobType === filters.type) &&
    isAny(discipline, (value) => (job.discipline ?? "unstated") === value) &&
    isAny(mode, (value) => (job.workMode ?? "unstated") === value) &&
    isAny(skill, (value) =>
      value === "unstated" ? job.skillIds.length === 0 : job.skillIds.includes(idOf(value)),
    ) &&
    isAny(findFilterPlaces(place), ({ ids }) => isInOneOf(job, ids)) &&
    isExperience(job, experience) &&
    isPay(job, pay) &&
    (task === null || (task === "unstated" ? job.testTask === null : isNotUnpaid(job)))
  );
}

const isNotUnpaid = ({ testTask }: Row) => testTask === "none" || testTask === "paid";

const idOf = (skill: string) => skills.find(({ value }) => value === skill)!.id;

/** Without ids, checks for a job that states no place. */
function isInOneOf(job: Row, ids: readonly number[]): boolean {
  const { placeIds, applicantPlaceIds } = job;
  if (ids.length === 0) return placeIds.length + applicantPlaceIds.length === 0;
  return ids.some((id) => isIn(job, id));
}

function isIn({ placeIds, applicantPlaceIds }: Row, place: number): boolean {
  const isWithin = (id: number, area: number) =>
    id !== anywhere && listPlaceAncestors(id).includes(area);
  return (
    placeIds.some((id) => isWithin(id, place)) ||
    applicantPlaceIds.some((id) => id === anywhere || isWithin(place, id) || isWithin(id, place))
  );
}

function isExperience(job: Row, experience: ChosenFilters["experience"]): boolean {
  const { experienceMin: min, experienceMax: max } = job;
  const isUnstated = min === null && max === null;
  if (experience === null) return true;
  if (experience === "unstated") return isUnstated;
  return !isUnstated && (min ?? 0) <= experience && experience <= (max ?? 40);
}

function isPay(job: Row, pay: ChosenFilters["pay"]): boolean {
  const top = job.payMax ?? job.payMin;
  if (pay === null) return true;
  if (pay === "unstated") return top === null;
  if (pay === "other") return top !== null && yearlyPay(job) === null;
  return (yearlyPay(job) ?? 0) >= payLevels.find(({ value }) => value === pay)!.amount;
}

function yearlyPay({ payMin, payMax, payPeriod, payCurrency }: Row): number | null {
  const top = payMax ?? payMin;
  if (top === null || payCurrency !== "INR" || payPeriod === "project") return null;
  return top * periodsPerYear[payPeriod!];
}

async function listAll(query: Partial<BoardQuery>, limit = 60): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page = await listJobs(db, { ...buildJobFilter({ ...query, after }), limit });
    found.push(...page.jobs.map(({ id }) => id));
    after = page.next;
  } while (after);
  return found;
}

const runs = 300;

test("the board finds exactly the jobs that match the filters, newest first", async () => {
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(randomFilters, async (query) => {
      const expected = rows
        .filter((job) => isMatch(job, query))
        .toSorted((one, other) => +other.postedAt - +one.postedAt || compare(other.id, one.id))
        .map(({ id }) => id);
      expect(await listAll(query)).toEqual(expected);
      expect((await countJobs(db, buildJobFilter(query))).counted).toBe(expected.length);
      if (expected.length > 0) matches++;
    }),
    { numRuns: runs, seed: 11 },
  );
  expect(matches).toBeGreaterThan(runs / 10);
});

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);

test("sorted by pay, each page continues where the last one ended, also among equal pay", async () => {
  for (const query of [{}, { type: "Full-time" as const, mode: ["remote" as const] }]) {
    const expected = rows
      .filter((job) => isMatch(job, { ...emptyBoardQuery, ...query }))
      .toSorted(
        (one, other) =>
          (yearlyPay(other) ?? 0) - (yearlyPay(one) ?? 0) || compare(other.id, one.id),
      )
      .map(({ id }) => id);
    expect(await listAll({ ...query, sort: "pay" }, 7)).toEqual(expected);
  }
});

test("a cursor of one order gives the first page of the other", async () => {
  const [newest, byPay] = [await listJobs(db, {}), await listJobs(db, { query: { sort: "pay" } })];
  expect(newest.next).not.toBeNull();
  expect(await listJobs(db, { query: { sort: "pay", after: newest.next } })).toEqual(byPay);
  expect(await listJobs(db, { query: { after: byPay.next } })).toEqual(newest);
});

test("a feed lists the jobs of the board for the same filters", async () => {
  await fc.assert(
    fc.asyncProperty(randomFilters, async (query) => {
      const feed = await loadFeed(db, buildJobFilter(query));
      const { jobs: listed } = await listJobs(db, { ...buildJobFilter(query), limit: 50 });
      expect(feed.entries.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    }),
    { numRuns: 50, seed: 12 },
  );
});

const facetsOf: Record<
  Exclude<FilterName, "place">,
  [value: ChosenFilters[FilterName], number][]
> = {
  discipline: [
    ...disciplines.map(({ value }): [string[], number] => [[value], facets.discipline(value)]),
    [["unstated"], facets.unstated.discipline],
  ],
  mode: [
    ...workModes.map(({ value }): [string[], number] => [[value], facets.workMode(value)]),
    [["unstated"], facets.unstated.mode],
  ],
  skill: [
    ...skills.map(({ id, value }): [string[], number] => [[value], facets.skill(id)]),
    [["unstated"], facets.unstated.skill],
  ],
  experience: [
    ...Array.from({ length: 41 }, (_, years): [number, number] => [
      years,
      facets.experience(years),
    ]),
    ["unstated", facets.unstated.experience],
  ],
  pay: [
    ...payLevels.map(({ value }): ["3", number] => [value as "3", facets.pay(value)]),
    ["other", facets.payNotComparable],
    ["unstated", facets.unstated.pay],
  ],
  task: [
    ["no-unpaid", facets.noUnpaidTask],
    ["unstated", facets.unstated.task],
  ],
};

describe.each([
  ["all matches", 1_000],
  ["the newest of many matches", 20],
])("the numbers beside the values, of %s,", (_, most) => {
  test("are the numbers of jobs that each value finds with the other filters", async () => {
    await fc.assert(
      fc.asyncProperty(randomFilters, async (query) => {
        const { byFilter, total } = await countFacets(db, buildJobFilter(query), most);
        const matches = rows.filter((job) => isMatch(job, query)).length;
        if (total)
          expect(total).toEqual({ counted: Math.min(matches, most), isMore: matches > most });
        for (const group of filterGroups) {
          const others = rows
            .filter((job) => isMatch(job, query, group))
            .toSorted((one, other) => +other.postedAt - +one.postedAt || compare(other.id, one.id));
          expect(byFilter[group].isMore).toBe(others.length > most);
          const counted = others.slice(0, most);
          if (group === "place") {
            for (const [name, found] of byFilter.place.counts) {
              const named = findFilterPlaces([String(name)])[0]?.ids;
              const place = typeof name === "number" ? [name] : named!;
              expect(found).toBe(counted.filter((job) => isInOneOf(job, place)).length);
            }
            continue;
          }
          for (const [value, facet] of facetsOf[group])
            expect(byFilter[group].counts.get(facet) ?? 0, `${group} ${String(value)}`).toBe(
              counted.filter((job) => isMatch(job, { ...query, [group]: value })).length,
            );
        }
      }),
      { numRuns: 60, seed: 13 },
    );
  });
});

test("the places to choose from are the most frequent cities and the chosen places", async () => {
  const { byFilter } = await countFacets(db, buildJobFilter({ place: ["ncr", "kerala"] }));
  const cities = randomPlaces.filter((id) => getPlace(id).kind === "city");
  expect(new Set(byFilter.place.counts.keys())).toEqual(
    new Set([...cities, "kerala", "ncr", "unstated"]),
  );
});

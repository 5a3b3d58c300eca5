import * as fc from "fast-check";
import { type ChosenFilters, taskFilters } from "../../../app/jobs/filters/board-query.ts";
import {
  disciplines,
  payPeriods,
  skills,
  testTasks,
  workModes,
} from "../../../app/jobs/details.ts";
import { payLevels } from "../../../app/jobs/detail-limits.ts";
import { findPlaceBySlug } from "../../../app/jobs/places/find-places.server.ts";
import { anywhere } from "../../../app/jobs/places/rules.ts";
import { jobTypes } from "../../../app/jobs/rules.ts";

const slugs = ["pune", "mumbai", "maharashtra", "india", "bengaluru", "gurugram", "london", "ncr"];
export const randomPlaces = slugs.flatMap((slug) => findPlaceBySlug(slug)?.id ?? []);
const words = ["poster", "atlas", "letter"];

const valuesOf = <Value>(list: readonly { value: Value }[]) => list.map(({ value }) => value);
const some = <Value>(list: readonly Value[], most: number) =>
  fc.uniqueArray(fc.constantFrom(...list), { maxLength: most });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 2 });

const range = (most: number) =>
  fc
    .tuple(maybe(fc.integer({ min: 1, max: most })), maybe(fc.integer({ min: 0, max: 10 })))
    .map(([first, more]) => ({
      min: first,
      max: more === null ? null : Math.min(most, (first ?? 1) + more * Math.ceil(most / 20)),
    }));

/** Jobs of few kinds, so that random filters find some of them. Many were posted in the same minute. */
export const randomJob = fc
  .record({
    title: fc.constantFrom(...words),
    jobType: fc.constantFrom(...jobTypes),
    discipline: maybe(fc.constantFrom(...valuesOf(disciplines.slice(0, 4)))),
    workMode: maybe(fc.constantFrom(...valuesOf(workModes))),
    placeIds: some(randomPlaces, 2),
    homes: some([anywhere, ...randomPlaces], 2),
    skillIds: some([1, 2, 3, 44], 3),
    experience: range(40),
    pay: range(400_000),
    payPeriod: fc.constantFrom(...payPeriods),
    payCurrency: fc.constantFrom("INR", "INR", "INR", "EUR"),
    testTask: maybe(fc.constantFrom(...valuesOf(testTasks))),
    isArchived: fc.constantFrom(false, false, false, true),
    minutes: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ experience, pay, payPeriod, homes, minutes, ...job }) => ({
    ...job,
    company: "Example Studio",
    location: "Pune",
    description: "Draw.",
    applicantPlaceIds: job.workMode === "remote" ? homes : [],
    experienceMin: experience.min,
    experienceMax: experience.max,
    payMin: pay.min,
    payMax: pay.max,
    payPeriod: pay.min === null && pay.max === null ? null : payPeriod,
    postedAt: new Date(Date.UTC(2026, 2, 1, 12, minutes)),
  }));

/** Filters of the board that find some random jobs. */
export const randomFilters: fc.Arbitrary<ChosenFilters> = fc.record({
  search: fc.constantFrom("", "", "", ...words),
  type: fc.constantFrom(null, null, ...jobTypes),
  discipline: some([...valuesOf(disciplines.slice(0, 4)), "unstated"], 2),
  mode: some([...valuesOf(workModes), "unstated"], 1),
  place: some([...slugs, "unstated"], 2),
  skill: some([...valuesOf([skills[0], skills[1], skills[43]]), "unstated"], 2),
  experience: fc.constantFrom(null, null, null, "unstated" as const, 0, 3, 40),
  pay: fc.constantFrom(
    null,
    null,
    null,
    "unstated" as const,
    "other" as const,
    ...valuesOf(payLevels),
  ),
  task: fc.constantFrom(null, null, null, ...taskFilters),
});

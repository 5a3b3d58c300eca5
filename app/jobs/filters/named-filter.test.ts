import { beforeEach, expect, test } from "vitest";
import { askedBy } from "../../../tests/support/requests/asked.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { insertJobs, type JobRow } from "../../../tests/support/rows/jobs.ts";
import * as board from "../board/job-board.screen.tsx";
import { buildBoardAddress } from "./board-query.ts";
import { disciplines, skills, workModes } from "../details.ts";
import { parseJobFilter } from "./job-filter.server.ts";
import {
  describeNamedJobs,
  findNamedFilter,
  listKnownNames,
  suggestFilter,
} from "./named-filter.server.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { jobs } from "../tables.server.ts";

const { db } = await testDatabase();

beforeEach(async () => {
  await db.delete(jobs);
});

const idOf = (slug: string) => findPlaceBySlug(slug)!.id;

async function post(count: number, fields: JobRow = {}) {
  const minutes = Array.from({ length: count }, (_, minute) => Date.UTC(2026, 2, 1, 12, minute));
  const base = { title: "Type Designer", location: "See the website", ...fields };
  await insertJobs(
    db,
    minutes.map((minute) => ({ ...base, postedAt: new Date(minute) })),
  );
}

test.each([
  ["Mumbai", "/jobs?place=mumbai", "jobs in Mumbai"],
  ["bangalore", "/jobs?place=bengaluru", "jobs in Bengaluru"],
  ["  BLR ", "/jobs?place=bengaluru", "jobs in Bengaluru"],
  ["Delhi NCR", "/jobs?place=ncr", "jobs in NCR"],
  ["jobs in Navi Mumbai", "/jobs?place=navi-mumbai", "jobs in Navi Mumbai"],
  ["Pune, Maharashtra", "/jobs?place=pune", "jobs in Pune"],
  ["pune maharashtra india", "/jobs?place=pune", "jobs in Pune"],
  ["hyderabad pakistan", "/jobs?place=hyderabad-pakistan", "jobs in Hyderabad"],
  ["mumbai or pune", "/jobs?place=mumbai&place=pune", "jobs in Mumbai or Pune"],
  ["Kerala", "/jobs?place=kerala", "jobs in Kerala"],
  ["j&k", "/jobs?place=jammu-and-kashmir", "jobs in Jammu and Kashmir"],
  ["figma", "/jobs?skill=figma", "jobs with Figma"],
  ["After Effects", "/jobs?skill=after-effects", "jobs with After Effects"],
  ["HTML & CSS", "/jobs?skill=html-css", "jobs with HTML and CSS"],
  ["remote", "/jobs?mode=remote", "remote jobs"],
  ["work from home", "/jobs?mode=remote", "remote jobs"],
  ["on-site", "/jobs?mode=on-site", "on-site jobs"],
  ["product designer", "/jobs?discipline=product", "product design jobs"],
  ["UX Designers", "/jobs?discipline=ux", "UX design jobs"],
  ["UI/UX designer", "/jobs?discipline=ui&discipline=ux", "UX design or UI design jobs"],
  ["illustrator", "/jobs?discipline=illustration", "illustration jobs"],
  ["adobe illustrator", "/jobs?skill=illustrator", "jobs with Adobe Illustrator"],
  ["figma remote", "/jobs?mode=remote&skill=figma", "remote jobs with Figma"],
  [
    "product designer mumbai",
    "/jobs?discipline=product&place=mumbai",
    "product design jobs in Mumbai",
  ],
  [
    "Figma intern in Pune",
    "/jobs?type=Internship&place=pune&skill=figma",
    "internship jobs with Figma in Pune",
  ],
  ["designer Goa", "/jobs?place=goa", "jobs in Goa"],
  ["wfh", "/jobs?mode=remote", "remote jobs"],
  ["work from anywhere", "/jobs?mode=remote", "remote jobs"],
  ["service designer", "/jobs?skill=service-design", "jobs with Service design"],
  ["animators Pune", "/jobs?place=pune&skill=animation", "jobs with Animation in Pune"],
  ["fresher", "/jobs?experience=0", "jobs for freshers"],
  [
    "entry level remote ux",
    "/jobs?discipline=ux&mode=remote&experience=0",
    "remote UX design jobs for freshers",
  ],
])("the search %j names the filter %s", (search, address, label) => {
  const filter = findNamedFilter(search)!;
  expect(buildBoardAddress(filter.chosen)).toBe(address);
  expect(describeNamedJobs(filter)).toBe(label);
});

test.each([
  "",
  "designer",
  "jobs in",
  "Chaupal Health",
  "lead designer mumbai",
  "mumbai mirror",
  "figma plugin",
  "oyo",
  "pune karnataka",
  "internship full-time",
  "constructor",
  "mumbai ".repeat(13),
])("the search %j names no filter", (search) => {
  expect(findNamedFilter(search)).toBeNull();
});

test("every discipline, work mode and skill is named by its label", () => {
  for (const [group, list] of Object.entries({
    discipline: disciplines,
    mode: workModes,
    skill: skills,
  }))
    for (const { value, label } of list)
      expect(findNamedFilter(label)?.chosen, label).toEqual({ [group]: [value] });
});

test("every known name names a filter, beside other words too", () => {
  // "Oyo" is better known as a company.
  const names = listKnownNames().filter((name) => name !== "oyo");
  expect(names.filter((name) => !findNamedFilter(`${name} jobs`))).toEqual([]);
});

const suggest = (query: string) => suggestFilter(db, parseJobFilter(new URLSearchParams(query)));

test("a link leads to the filter with its number of jobs, whether or not the text search finds some", async () => {
  await post(2, { placeIds: [idOf("mumbai")] });
  expect(await suggest("search=Bombay")).toEqual({
    label: "2 jobs in Mumbai",
    change: { place: ["mumbai"], search: "" },
  });
  await post(1, { title: "Bombay Designer" });
  expect(await suggest("search=Bombay")).toMatchObject({ label: "2 jobs in Mumbai" });
  expect(await suggest("search=figma")).toBeNull();
  await post(1, { skillIds: [1], isArchived: true });
  expect(await suggest("search=figma")).toBeNull();
  await post(1, { skillIds: [1] });
  expect(await suggest("search=figma")).toMatchObject({ label: "1 job with Figma" });
});

test("there is no link to jobs that the search finds too, and none on later pages", async () => {
  await post(1, { description: "Know Figma.", skillIds: [1] });
  expect(await suggest("search=figma")).toBeNull();
  await post(1, { skillIds: [1] });
  expect(await suggest("search=figma")).toMatchObject({ label: "2 jobs with Figma" });
  expect(await suggest("search=figma&after=x")).toBeNull();
});

test("the other filters stay, and the named ones replace those of the same group", async () => {
  await post(1, { skillIds: [1], placeIds: [idOf("mumbai")] });
  await post(2, { placeIds: [idOf("mumbai")] });
  expect(await suggest("search=mumbai&skill=figma")).toMatchObject({
    label: "1 job in Mumbai (your other filters apply)",
  });
  expect(await suggest("search=mumbai&place=pune")).toMatchObject({ label: "3 jobs in Mumbai" });
  expect(await suggest("search=mumbai&type=Internship")).toBeNull();
  await post(1, { experienceMin: 0, experienceMax: 1 });
  expect(await suggest("search=fresher&experience=5")).toMatchObject({
    label: "1 job for freshers",
    change: { experience: 0, search: "" },
  });
});

test("at most 100 jobs are counted", async () => {
  await post(101, { workMode: "remote" });
  expect(await suggest("search=remote")).toMatchObject({ label: "100+ remote jobs" });
});

test("the board links to the named filter and keeps the results of the search", async () => {
  await post(1, { placeIds: [idOf("mumbai")] });
  const open = (query: string) => {
    const request = new Request(`http://localhost/jobs${query}`);
    return board.loader({ request, ...askedBy(db, null), params: {} } as never);
  };
  expect(await open("?search=Mumbai")).toMatchObject({
    jobs: [],
    links: [{ label: "1 job in Mumbai", change: { place: ["mumbai"], search: "" } }],
    wayOut: {
      advice:
        "A search looks at titles, companies and summaries only. Use the filter above instead.",
    },
  });
  expect(await open("?search=Nagpur")).toMatchObject({
    links: [],
    wayOut: { advice: "Try another word or job type." },
  });
  expect(await open("?search=map+maker")).toMatchObject({
    wayOut: { advice: "Try a shorter search, other words or another job type." },
  });
  expect(await open("?search=designer")).toMatchObject({ jobs: [{}], links: [], wayOut: null });
});

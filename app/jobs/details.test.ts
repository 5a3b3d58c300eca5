import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { insertJob, type JobRow } from "../../tests/support/rows/jobs.ts";
import { disciplines, facets, payPeriods, skills, workModes } from "./details.ts";
import { payLevels } from "./detail-limits.ts";
import { anywhere } from "./places/rules.ts";
import { places } from "./places/tables.server.ts";
import { jobTypes } from "./rules.ts";
import { jobs } from "./tables.server.ts";

const { db } = await testDatabase();
const [country, state, city, otherCity] = [89_999_001, 89_999_002, 89_999_003, 89_999_004];
await db.insert(places).values([
  { id: country, kind: "country", name: "Testland", slug: "testland", country: "TT", parent: null },
  { id: state, kind: "state", name: "Shire", slug: "shire", country: "TT", parent: country },
  { id: city, kind: "city", name: "Ayton", slug: "ayton", country: "TT", parent: state },
  { id: otherCity, kind: "city", name: "Beeton", slug: "beeton", country: "TT", parent: country },
]);

beforeEach(async () => {
  await db.delete(jobs);
});

const sorted = (numbers: number[]) => numbers.toSorted((one, other) => one - other);
const findFacets = async (fields: JobRow) => sorted((await insertJob(db, fields)).facets);

/** The facets of a listing that has these and states only some details. */
function onlyStating(groups: (keyof typeof facets.unstated)[], stated: number[]): number[] {
  const unstated = { ...facets.unstated };
  for (const group of groups) Reflect.deleteProperty(unstated, group);
  return sorted([...stated, ...Object.values(unstated)]);
}

test("the trigger has the lists of details.ts and rules.ts, in their order", async () => {
  const { rows } = await db.execute<{ source: string }>(
    sql`select prosrc as source from pg_proc where proname = 'set_job_facets'`,
  );
  const lists = [...rows[0]!.source.matchAll(/ARRAY\[([^\]]*)\]\)\s+WITH ORDINALITY AS (\w+)/g)];
  const items = ([, list]: RegExpMatchArray) => list!.split(",").map((item) => item.trim());
  const quote = (list: readonly string[]) => list.map((value) => `'${value}'`);
  expect(Object.fromEntries(lists.map((list) => [list[2]!, items(list)]))).toEqual({
    types: quote(jobTypes),
    disciplines: quote(disciplines.map(({ value }) => value)),
    modes: quote(workModes.map(({ value }) => value)),
    levels: payLevels.map(({ amount }) => String(amount)),
  });
});

test("a listing without details has its type, and states nothing else", async () => {
  for (const jobType of jobTypes)
    expect(await findFacets({ jobType })).toEqual(onlyStating([], [facets.type(jobType)]));
});

test("every discipline, mode and skill has its facet", async () => {
  for (const { value } of disciplines)
    expect(await findFacets({ discipline: value })).toContain(facets.discipline(value));
  for (const { value } of workModes)
    expect(await findFacets({ workMode: value })).toContain(facets.workMode(value));
  for (const { id } of skills)
    expect(await findFacets({ skillIds: [id] })).toContain(facets.skill(id));
});

test("no two values share a facet", () => {
  const all = [
    ...jobTypes.map(facets.type),
    ...disciplines.map(({ value }) => facets.discipline(value)),
    ...workModes.map(({ value }) => facets.workMode(value)),
    ...skills.map(({ id }) => facets.skill(id)),
    ...Array.from({ length: 41 }, (_, years) => facets.experience(years)),
    ...payLevels.map(({ value }) => facets.pay(value)),
    ...Object.values(facets.unstated),
    facets.payNotComparable,
    facets.noUnpaidTask,
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(Math.max(...all)).toBeLessThan(facets.workPlace(0));
});

test.each([
  [2, 4, [2, 3, 4]],
  [38, null, [38, 39, 40]],
  [null, 1, [0, 1]],
  [0, 0, [0]],
])("experience from %s to %s includes %j years", async (experienceMin, experienceMax, years) => {
  expect(await findFacets({ experienceMin, experienceMax })).toEqual(
    onlyStating(["experience"], [facets.type("Full-time"), ...years.map(facets.experience)]),
  );
});

test.each([
  ["year", 900_000, 1_200_000, 1_200_000, ["1.2", "3", "6", "10"]],
  ["month", 25_000, null, 300_000, ["1.2", "3"]],
  ["week", null, 2_307, 119_964, []],
  ["day", 1_000, 1_000, 260_000, ["1.2"]],
  ["hour", null, 50_000_000, 2_147_483_647, payLevels.map(({ value }) => value)],
] as const)(
  "pay per %s from %s to %s is %s a year",
  async (payPeriod, payMin, payMax, payYear, levels) => {
    const job = await insertJob(db, { payPeriod, payMin, payMax });
    expect(job.payYear).toBe(payYear);
    expect(sorted(job.facets)).toEqual(
      onlyStating(["pay"], [facets.type("Full-time"), ...levels.map(facets.pay)]),
    );
  },
);

test("pay for a project or in another currency has no yearly amount", async () => {
  const fields = { payMin: 500_000, payMax: 500_000 };
  for (const other of [
    { payPeriod: "project" as const },
    { payPeriod: "year" as const, payCurrency: "EUR" },
  ]) {
    const job = await insertJob(db, { ...fields, ...other });
    expect(job.payYear).toBe(0);
    expect(job.facets).toContain(facets.payNotComparable);
    expect(job.facets).not.toContain(facets.unstated.pay);
  }
});

test("an unpaid internship states its pay", async () => {
  const job = await insertJob(db, {
    jobType: "Internship",
    payMin: 0,
    payMax: 0,
    payPeriod: "month",
  });
  expect(job.payYear).toBe(0);
  expect(sorted(job.facets)).toEqual(onlyStating(["pay"], [facets.type("Internship")]));
});

test.each([
  ["none", [facets.noUnpaidTask]],
  ["paid", [facets.noUnpaidTask]],
  ["unpaid", []],
] as const)("the test task %s has the facets %j", async (testTask, stated) => {
  expect(await findFacets({ testTask })).toEqual(
    onlyStating(["task"], [facets.type("Full-time"), ...stated]),
  );
});

test("a place of work includes its state and country, each once", async () => {
  expect(await findFacets({ placeIds: [city, otherCity] })).toEqual(
    onlyStating(
      ["place"],
      [facets.type("Full-time"), ...[country, state, city, otherCity].map(facets.workPlace)],
    ),
  );
});

test("applicants' places are found by name and by the places around them", async () => {
  expect(await findFacets({ workMode: "remote", applicantPlaceIds: [city, anywhere] })).toEqual(
    onlyStating(
      ["place", "mode"],
      [
        facets.type("Full-time"),
        facets.workMode("remote"),
        facets.applicantPlace(anywhere),
        facets.applicantPlace(city),
        ...[country, state, city].map(facets.applicantPlaceWithin),
      ],
    ),
  );
});

test("a change of a detail changes the facets", async () => {
  const { id } = await insertJob(db, { discipline: "ux" });
  await db
    .update(jobs)
    .set({ discipline: "brand", payMin: 600_000, payPeriod: "year", testTask: "none" })
    .where(eq(jobs.id, id));
  const [job] = await db.select().from(jobs);
  expect(sorted(job!.facets)).toEqual(
    onlyStating(
      ["discipline", "pay", "task"],
      [
        facets.type("Full-time"),
        facets.discipline("brand"),
        facets.noUnpaidTask,
        ...(["1.2", "3", "6"] as const).map(facets.pay),
      ],
    ),
  );
});

const tooMany = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each<[string, JobRow]>([
  ["experience that ends before it starts", { experienceMin: 5, experienceMax: 4 }],
  ["negative experience", { experienceMin: -1 }],
  ["more than 40 years of experience", { experienceMax: 41 }],
  ["pay that ends below its start", { payPeriod: "year", payMin: 2, payMax: 1 }],
  ["pay above 10 crore", { payPeriod: "year", payMax: 100_000_001 }],
  ["pay without a period", { payMin: 100 }],
  ["unpaid full-time work", { payPeriod: "month", payMin: 0, payMax: 0 }],
  ["a currency that isn't a code", { payCurrency: "rupees" }],
  ["six places", { placeIds: tooMany(6) }],
  ["six applicants' places", { applicantPlaceIds: tooMany(6) }],
  ["eleven skills", { skillIds: tooMany(11) }],
  ["an unknown discipline", { discipline: "cooking" as "ux" }],
  ["an unknown mode", { workMode: "anywhere" as "remote" }],
  ["eleven rounds", { rounds: 11 }],
  ["no rounds", { rounds: 0 }],
  ["an unknown test task", { testTask: "long" as "paid" }],
  ["a test task of 81 hours", { testTask: "paid", testTaskHours: 81 }],
  ["hours without a test task", { testTaskHours: 4 }],
  ["hours of no test task", { testTask: "none", testTaskHours: 4 }],
  ["an answer within 61 days", { answerDays: 61 }],
  ["an unknown period", { payMin: 1, payPeriod: "decade" as "year" }],
])("the database refuses %s", async (_name, fields) => {
  await expect(insertJob(db, fields)).rejects.toThrow();
});

test("the database accepts every period", async () => {
  for (const payPeriod of payPeriods) await insertJob(db, { payPeriod, payMin: 1, payMax: 2 });
});

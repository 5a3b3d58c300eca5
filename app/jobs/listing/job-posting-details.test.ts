import { expect, test } from "vitest";
import { demoJobs } from "../../../db/demo/jobs.ts";
import {
  country,
  googlePosting,
  job,
  place,
  url,
} from "../../../tests/support/requests/google-posting.ts";
import { type JobDetails, noDetails, payPeriods, workModes } from "../details.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { anywhere } from "../places/rules.ts";
import { jobTypes } from "../rules.ts";
import { buildJobPosting } from "./job-posting.server.ts";

const idsOf = (...slugs: string[]) => slugs.map((slug) => findPlaceBySlug(slug)!.id);
const withDetails = (details: Partial<JobDetails>, location = "Chikkajala") =>
  buildJobPosting({ ...job, location }, { ...noDetails, ...details }, url);

test.each<[string[], unknown]>([
  [["pune"], place("Pune", "IN", "Maharashtra")],
  [["kerala"], place(undefined, "IN", "Kerala")],
  [["india"], place()],
  [["london"], place("London", "GB")],
  [
    ["bengaluru", "singapore"],
    [place("Bengaluru", "IN", "Karnataka"), place(undefined, "SG")],
  ],
])("the places of work %j count more than the location", (slugs, jobLocation) => {
  expect(withDetails({ placeIds: idsOf(...slugs) })).toMatchObject({ jobLocation });
});

test.each<[number[], unknown]>([
  [idsOf("india"), country("India")],
  [[anywhere], country("India")],
  [idsOf("karnataka"), { "@type": "State", name: "Karnataka, India" }],
  [idsOf("pune"), { "@type": "City", name: "Pune, Maharashtra, India" }],
  [idsOf("india", "nepal"), [country("India"), country("Nepal")]],
  // People in India may apply if the details don't say.
  [[], country("India")],
])("remote work for applicants in %j", (applicantPlaceIds, applicantLocationRequirements) => {
  const posting = withDetails({ workMode: "remote", applicantPlaceIds });
  expect(posting).toMatchObject({ jobLocationType: "TELECOMMUTE", applicantLocationRequirements });
  expect(posting).not.toHaveProperty("jobLocation");
});

test("the work mode counts more than the location", () => {
  for (const workMode of ["hybrid", "on-site"] as const) {
    const posting = withDetails({ workMode }, "Remote");
    expect(posting).toMatchObject({ jobLocation: place() });
    expect(posting).not.toHaveProperty("jobLocationType");
  }
  const remote = withDetails({ workMode: "remote", placeIds: idsOf("pune") }, "Hybrid, Pune");
  expect(remote).toMatchObject({
    jobLocation: place("Pune", "IN", "Maharashtra"),
    jobLocationType: "TELECOMMUTE",
    applicantLocationRequirements: country("India"),
  });
  expect(withDetails({ workMode: "remote" }, "Remote, Germany")).toMatchObject({
    applicantLocationRequirements: country("Germany"),
  });
});

const salary = (unitText: string, amount: object) => ({
  "@type": "MonetaryAmount",
  currency: "INR",
  value: { "@type": "QuantitativeValue", ...amount, unitText },
});

test.each<[Partial<JobDetails>, unknown]>([
  [
    { payMin: 1_200_000, payMax: 1_800_000, payPeriod: "year" },
    salary("YEAR", { minValue: 1_200_000, maxValue: 1_800_000 }),
  ],
  [{ payMin: 25_000, payMax: 25_000, payPeriod: "month" }, salary("MONTH", { value: 25_000 })],
  [{ payMin: 9_000, payPeriod: "week" }, salary("WEEK", { minValue: 9_000 })],
  [{ payMax: 3_000, payPeriod: "day" }, salary("DAY", { maxValue: 3_000 })],
  [{ payMin: 0, payMax: 500, payPeriod: "hour" }, salary("HOUR", { maxValue: 500 })],
  [{ payMin: 1, payMax: 2, payPeriod: "project" }, undefined],
  [{ payMin: 0, payMax: 0, payPeriod: "month" }, undefined],
  [{ payMax: 60_000, payPeriod: "year", payCurrency: "EUR" }, undefined],
  [{ payVariable: 100_000, payPeriod: "year" }, undefined],
  [{}, undefined],
])("the pay %j is the base salary %j", (details, baseSalary) => {
  const posting = withDetails(details);
  expect(posting?.baseSalary).toEqual(baseSalary);
  expect("baseSalary" in posting!).toBe(baseSalary !== undefined);
});

test("experience and skills are named only if they are stated", () => {
  expect(withDetails({ experienceMin: 2, experienceMax: 4, skillIds: [28, 1] })).toMatchObject({
    experienceRequirements: {
      "@type": "OccupationalExperienceRequirements",
      monthsOfExperience: 24,
    },
    skills: "Figma, Usability testing",
  });
  expect(withDetails({ experienceMin: 0 })?.experienceRequirements).toBe("no requirements");
  const unstated = withDetails({ experienceMax: 2 });
  expect(unstated).not.toHaveProperty("experienceRequirements");
  expect(unstated).not.toHaveProperty("skills");
});

test("the postings of all demo listings are valid", () => {
  const listings = demoJobs(new Date("2026-03-01T12:00:00Z"), "adder", "admin");
  expect(listings.length).toBeGreaterThan(60);
  let salaries = 0;
  for (const listing of listings) {
    const row = { ...noDetails, largeDescription: null, ...listing, id: job.id };
    const posting = buildJobPosting(row, row, url);
    expect(googlePosting.safeParse(posting).error?.issues, listing.title).toBeUndefined();
    if (posting?.baseSalary) salaries += 1;
  }
  expect(salaries).toBeGreaterThan(40);
});

test("the postings of all combinations of details are valid", () => {
  const locations = ["Pune", "Remote", "Bengaluru / Remote", "Remote, Europe", "Chikkajala"];
  const modes = [null, ...workModes.map(({ value }) => value)];
  const workPlaces = [[], idsOf("pune"), idsOf("india", "london")];
  const homes = [[], [anywhere], idsOf("kerala", "nepal"), idsOf("pune")];
  const amounts = [null, 0, 50_000];
  const pays = payPeriods.flatMap((payPeriod) =>
    amounts.flatMap((payMin) => amounts.map((payMax) => ({ payPeriod, payMin, payMax }))),
  );
  const years = [null, 0, 3];
  for (const jobType of jobTypes)
    for (const location of locations)
      for (const workMode of modes)
        for (const placeIds of workPlaces)
          for (const [index, applicantPlaceIds] of homes.entries())
            for (const pay of pays.slice(index, index + 20)) {
              const details: JobDetails = {
                ...noDetails,
                workMode,
                placeIds,
                applicantPlaceIds,
                ...pay,
                experienceMin: years[index % 3]!,
                skillIds: [1, 2].slice(index % 3),
              };
              const posting = buildJobPosting({ ...job, location, jobType }, details, url);
              const issues = googlePosting.safeParse(posting).error?.issues;
              expect(issues, JSON.stringify([location, details])).toBeUndefined();
            }
});

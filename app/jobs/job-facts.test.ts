import { expect, test } from "vitest";
import { type JobDetails, noDetails } from "./details.ts";
import {
  detailLabels,
  formatDetail,
  formatWorkplace,
  isDetail,
  listJobFacts,
  withJobTexts,
} from "./job-facts.server.ts";
import { findPlaceBySlug } from "./places/find-places.server.ts";
import { anywhere } from "./places/rules.ts";

const idsOf = (...slugs: string[]) => slugs.map((slug) => findPlaceBySlug(slug)!.id);

test.each<[Partial<JobDetails>, string | null]>([
  [{}, null],
  [{ workMode: "hybrid" }, null],
  [{ workMode: "remote" }, null],
  [{ workMode: "hybrid", placeIds: idsOf("bengaluru") }, "Bengaluru · Hybrid"],
  [{ workMode: "on-site", placeIds: idsOf("pune", "mumbai") }, "Pune, Mumbai · On-site"],
  [{ placeIds: idsOf("kerala") }, "Kerala"],
  [{ placeIds: idsOf("pune", "london") }, "Pune; London, United Kingdom"],
  [{ workMode: "remote", placeIds: idsOf("pune") }, "Pune · Remote"],
  [{ workMode: "remote", applicantPlaceIds: [anywhere] }, "Remote, anywhere"],
  [{ workMode: "remote", applicantPlaceIds: idsOf("india") }, "Remote in India"],
  [
    {
      workMode: "remote",
      placeIds: idsOf("pune"),
      applicantPlaceIds: idsOf("kerala", "goa", "nepal"),
    },
    "Remote in Kerala, Goa or Nepal",
  ],
])("the workplace of %j is %s", (details, text) => {
  expect(formatWorkplace({ ...noDetails, ...details })).toBe(text);
});

const row = { location: "Koramangala, Bengaluru", compensation: null, details: noDetails };
const paid: JobDetails = { ...noDetails, payMin: 1_200_000, payMax: 1_800_000, payPeriod: "year" };

test("a typed compensation counts more than the pay of the details", () => {
  expect(withJobTexts({ ...row, compensation: "₹15 LPA", details: paid }).pay).toBe("₹15 LPA");
  expect(withJobTexts({ ...row, details: paid }).pay).toBe("₹12–18 LPA");
  expect(withJobTexts({ ...row, compensation: "", details: paid }).pay).toBe("₹12–18 LPA");
  expect(withJobTexts(row).pay).toBeNull();
});

test("the location is shown if the details name no place", () => {
  expect(withJobTexts(row)).toEqual({
    location: row.location,
    place: row.location,
    pay: null,
    coordinates: ["12.97° N", "77.59° E"],
  });
  const details: JobDetails = { ...noDetails, workMode: "on-site", placeIds: idsOf("pune") };
  expect(withJobTexts({ ...row, details })).toMatchObject({
    place: "Pune · On-site",
    coordinates: ["18.52° N", "73.86° E"],
  });
});

test("the facts of a page link to the jobs with the same value", () => {
  const details: JobDetails = {
    ...paid,
    discipline: "ux",
    workMode: "hybrid",
    placeIds: idsOf("pune"),
    experienceMin: 2,
    experienceMax: 4,
    skillIds: [28, 1],
  };
  expect(listJobFacts(details, null)).toEqual([
    { label: "Discipline", values: [{ text: "UX design", to: "/jobs?discipline=ux" }] },
    { label: "Work mode", values: [{ text: "Hybrid", to: "/jobs?mode=hybrid" }] },
    { label: "Place", values: [{ text: "Pune, Maharashtra", to: "/jobs?place=pune" }] },
    { label: "Experience", values: [{ text: "2–4 years", to: null }] },
    {
      label: "Skills",
      values: [
        { text: "Figma", to: "/jobs?skill=figma" },
        { text: "Usability testing", to: "/jobs?skill=usability-testing" },
      ],
    },
  ]);
});

test("the facts of remote work say where people can live", () => {
  const remote: JobDetails = { ...noDetails, workMode: "remote" };
  const [, applicants] = listJobFacts({ ...remote, applicantPlaceIds: idsOf("india") }, null);
  expect(applicants).toEqual({
    label: "Where you can live",
    values: [{ text: "India", to: "/jobs?mode=remote&place=india" }],
  });
  const [, anyone] = listJobFacts({ ...remote, applicantPlaceIds: [anywhere] }, null);
  expect(anyone!.values).toEqual([{ text: "Anywhere", to: null }]);
});

test("the pay of the details is listed beside another text", () => {
  const labels = (compensation: string | null) =>
    listJobFacts(paid, compensation).map(({ values }) => values[0]!.text);
  expect(labels("Negotiable")).toEqual(["₹12–18 LPA"]);
  expect(labels("₹12–18 LPA")).toEqual([]);
  expect(labels(null)).toEqual([]);
});

test.each<[Partial<JobDetails>, string | null]>([
  [
    { rounds: 3, testTask: "paid", testTaskHours: 4, answerDays: 14 },
    "3 rounds · Paid test task, about 4 hours · Answers within 14 days",
  ],
  [
    { rounds: 1, testTask: "unpaid", testTaskHours: 1, answerDays: 1 },
    "1 round · Unpaid test task, about 1 hour · Answers within 1 day",
  ],
  [{ testTask: "none" }, "No test task"],
  [{ answerDays: 7 }, "Answers within 7 days"],
  [{}, null],
])("the hiring steps %j are one line: %s", (steps, line) => {
  expect(listJobFacts({ ...noDetails, ...steps }, null)).toEqual(
    line ? [{ label: "Hiring steps", values: [{ text: line, to: null }] }] : [],
  );
});

test("a listing without details has no facts", () => {
  expect(listJobFacts(noDetails, "Negotiable")).toEqual([]);
});

test.each<[keyof JobDetails, unknown, string | null]>([
  ["discipline", "ux", "UX design"],
  ["workMode", "on-site", "On-site"],
  ["placeIds", idsOf("pune", "goa"), "Pune, Maharashtra; Goa"],
  ["applicantPlaceIds", [anywhere], "Anywhere"],
  ["placeIds", [], null],
  ["skillIds", [1, 2], "Figma, Sketch"],
  ["payMin", 1_200_000, "12,00,000"],
  ["payMax", null, null],
  ["payPeriod", "year", "year"],
  ["testTask", "unpaid", "Unpaid test task"],
  ["answerDays", 14, "14"],
  ["payCurrency", "INR", "INR"],
  // Odd imported values.
  ["discipline", "cooking", "cooking"],
  ["skillIds", [999, "x"], '999, "x"'],
  ["placeIds", [89_000_000, "x"], '89000000; "x"'],
  ["payMin", { odd: 1 }, '{"odd":1}'],
])("the recorded %s %j is shown as %s", (name, value, text) => {
  expect(formatDetail(name, value)).toBe(text);
});

test("every detail has a label", () => {
  expect(Object.keys(detailLabels).toSorted()).toEqual(Object.keys(noDetails).toSorted());
  expect([isDetail("payMin"), isDetail("toString"), isDetail("title")]).toEqual([
    true,
    false,
    false,
  ]);
});

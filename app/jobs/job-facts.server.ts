/** Turns a listing's row into the texts that lists, pages, feeds and images show. */
import { countNoun } from "../platform/count-noun.ts";
import { formatIndianNumber } from "../platform/numbers.ts";
import { writeQuery } from "../platform/lists/lists.ts";
import {
  disciplines,
  type JobDetails,
  noDetails,
  skills,
  testTasks,
  workModes,
} from "./details.ts";
import { formatExperience, formatPay } from "./pay.ts";
import { allPlaces, formatPlaceName, getPlace } from "./places/find-places.server.ts";
import { findCoordinates } from "./places/parse-places.server.ts";
import { anywhere, formatPlaceCoordinates, india } from "./places/rules.ts";
import { type JobFact, type JobTexts, joinWithOr } from "./rules.ts";
import { jobs } from "./tables.server.ts";

export const detailColumns = {
  discipline: jobs.discipline,
  workMode: jobs.workMode,
  placeIds: jobs.placeIds,
  applicantPlaceIds: jobs.applicantPlaceIds,
  experienceMin: jobs.experienceMin,
  experienceMax: jobs.experienceMax,
  skillIds: jobs.skillIds,
  payMin: jobs.payMin,
  payMax: jobs.payMax,
  payVariable: jobs.payVariable,
  payPeriod: jobs.payPeriod,
  payCurrency: jobs.payCurrency,
  rounds: jobs.rounds,
  testTask: jobs.testTask,
  testTaskHours: jobs.testTaskHours,
  answerDays: jobs.answerDays,
} as const satisfies Record<keyof JobDetails, unknown>;

type RowWithDetails = { location: string; compensation: string | null; details: JobDetails };

/** Replaces the compensation and the details of a row with the texts that everyone sees. */
export function withJobTexts<Row extends RowWithDetails>({
  details,
  compensation,
  ...job
}: Row): Omit<Row, "details" | "compensation"> & JobTexts {
  return {
    ...job,
    place: formatWorkplace(details) ?? job.location,
    pay: compensation || formatPay(details),
    coordinates: findFirstCoordinates(details.placeIds) ?? findCoordinates(job.location),
  };
}

/**
 * Formats the places and the work mode: "Bengaluru · Hybrid", "Remote in India", "Remote, anywhere".
 *
 * @returns null if the details name no place
 */
export function formatWorkplace(details: JobDetails): string | null {
  const { workMode, placeIds, applicantPlaceIds } = details;
  if (workMode === "remote" && applicantPlaceIds.includes(anywhere)) return "Remote, anywhere";
  if (workMode === "remote" && applicantPlaceIds.length > 0)
    return `Remote in ${joinWithOr(applicantPlaceIds.map(formatShortPlace))}`;
  if (placeIds.length === 0) return null;
  const names = placeIds.map(formatShortPlace);
  const places = names.join(names.some((name) => name.includes(",")) ? "; " : ", ");
  return workMode ? `${places} · ${findLabel(workModes, workMode)}` : places;
}

/** Formats a place in India without its state. */
function formatShortPlace(id: number): string {
  const { name, country } = getPlace(id);
  return country === india ? name : formatPlaceName(id);
}

function findFirstCoordinates(placeIds: number[]): [string, string] | null {
  for (const { north, east } of placeIds.map(getPlace))
    if (north !== null && east !== null) return formatPlaceCoordinates(north, east);
  return null;
}

/**
 * Lists the stated details for the page of a job. Those that the board can filter by have the address of that list.
 *
 * @param compensation the text of the pay badge; the structured pay is only listed beside such a text
 */
export function listJobFacts(details: JobDetails, compensation: string | null): JobFact[] {
  const { discipline, workMode, placeIds, applicantPlaceIds, skillIds } = details;
  const experience = formatExperience(details);
  const pay = compensation ? formatPay(details) : null;
  const steps = formatHiringSteps(details);
  const facts: JobFact[] = [
    {
      label: "Discipline",
      values: discipline ? [buildLink(findLabel(disciplines, discipline), { discipline })] : [],
    },
    {
      label: "Work mode",
      values: workMode ? [buildLink(findLabel(workModes, workMode), { mode: workMode })] : [],
    },
    {
      label: placeIds.length === 1 ? "Place" : "Places",
      values: placeIds.map((id) => buildLink(formatPlaceName(id), { place: getPlace(id).slug })),
    },
    { label: "Where you can live", values: applicantPlaceIds.map(buildApplicantPlace) },
    { label: "Experience", values: experience ? [{ text: experience, to: null }] : [] },
    {
      label: "Skills",
      values: listSkills(skillIds).map(({ label, value }) => buildLink(label, { skill: value })),
    },
    { label: "Pay", values: pay && pay !== compensation ? [{ text: pay, to: null }] : [] },
    { label: "Hiring steps", values: steps ? [{ text: steps, to: null }] : [] },
  ];
  return facts.filter(({ values }) => values.length > 0);
}

/**
 * Formats the steps to a job: "3 rounds · Paid test task, about 4 hours · Answers within 14 days".
 *
 * @returns null if none is stated
 */
function formatHiringSteps({
  rounds,
  testTask,
  testTaskHours,
  answerDays,
}: JobDetails): string | null {
  const hours = testTaskHours ? `, about ${countNoun(testTaskHours, "hour")}` : "";
  const steps = [
    ...(rounds ? [countNoun(rounds, "round")] : []),
    ...(testTask ? [findLabel(testTasks, testTask) + hours] : []),
    ...(answerDays ? [`Answers within ${countNoun(answerDays, "day")}`] : []),
  ];
  return steps.join(" · ") || null;
}

function buildLink(text: string, query: Record<string, string>): JobFact["values"][number] {
  return { text, to: `/jobs${writeQuery(query)}` };
}

function buildApplicantPlace(id: number): JobFact["values"][number] {
  if (id === anywhere) return { text: "Anywhere", to: null };
  return buildLink(formatPlaceName(id), { mode: "remote", place: getPlace(id).slug });
}

function listSkills(ids: readonly number[]) {
  return skills.filter(({ id }) => ids.includes(id));
}

/** Finds the label of a value; the value itself if it has none. */
export function findLabel(
  options: readonly { value: string; label: string }[],
  value: string,
): string {
  return options.find((option) => option.value === value)?.label ?? value;
}

/** The labels of the details, for lists of changes. */
export const detailLabels: Readonly<Record<keyof JobDetails, string>> = {
  discipline: "Discipline",
  workMode: "Work mode",
  placeIds: "Places of work",
  applicantPlaceIds: "Where applicants may live",
  experienceMin: "Experience from (years)",
  experienceMax: "Experience to (years)",
  skillIds: "Skills",
  payMin: "Pay from",
  payMax: "Pay to",
  payVariable: "Variable pay",
  payPeriod: "Pay period",
  payCurrency: "Pay currency",
  rounds: "Rounds",
  testTask: "Test task",
  testTaskHours: "Hours for the test task",
  answerDays: "Answer within (days)",
};

/**
 * Formats a recorded value of a detail for lists of changes.
 *
 * @returns null if nothing was stated; the value as JSON if it is not valid
 */
export function formatDetail(name: keyof JobDetails, value: unknown): string | null {
  if (value === null || (Array.isArray(value) && value.length === 0)) return null;
  if (typeof value === "string") return findLabel(labelled[name] ?? [], value);
  if (typeof value === "number") return formatIndianNumber(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (name === "skillIds") return value.map(formatSkill).join(", ");
  return value.map(formatRecordedPlace).join("; ");
}

const labelled: { [name in keyof JobDetails]?: readonly { value: string; label: string }[] } = {
  discipline: disciplines,
  workMode: workModes,
  testTask: testTasks,
};

function formatSkill(id: unknown): string {
  return skills.find((skill) => skill.id === id)?.label ?? JSON.stringify(id);
}

function formatRecordedPlace(id: unknown): string {
  if (id === anywhere) return "Anywhere";
  return allPlaces.some((place) => place.id === id)
    ? formatPlaceName(Number(id))
    : JSON.stringify(id);
}

/** Checks whether a recorded field is a detail. */
export function isDetail(name: string): name is keyof JobDetails {
  return Object.hasOwn(noDetails, name);
}

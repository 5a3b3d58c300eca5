import { z } from "zod";
import { line } from "../../../platform/text/text-fields.server.ts";
import { truncateToCharacters } from "../../../platform/text/cut-text.ts";
import {
  disciplines,
  type JobDetails,
  noDetails,
  payPeriods,
  skills,
  testTasks,
  workModes,
} from "../../details.ts";
import { detailLimits } from "../../detail-limits.ts";
import {
  findPayCurrency,
  formatPayAmount,
  parseExperience,
  parsePayAmount,
  parseCountOf,
} from "../../pay.ts";
import { formatPlaceName, getPlace } from "../../places/find-places.server.ts";
import { parsePlaceList } from "../../places/parse-places.server.ts";
import { anywhere } from "../../places/rules.ts";
import { joinWithOr } from "../../rules.ts";
import {
  blankDetails,
  detailNames,
  detailsMarker,
  type DetailName,
  type DetailValues,
  getSkillName,
  maxDetailLengths,
} from "./rules.ts";

/**
 * Parses the fields for details of a listing's form. A form without the marker has no details: the result is empty, and
 * the stored ones stay.
 */
export const detailsForm = z
  .object(
    Object.fromEntries(
      [detailsMarker, "jobType", ...detailNames].map((name) => [name, line] as const),
    ),
  )
  .transform((values, context): Partial<JobDetails> => {
    if (!values[detailsMarker]) return {};
    const typed = values as DetailValues;
    const errors: Errors = {};
    const details = {
      ...parseWork(typed, errors),
      ...parsePlaces(typed, errors),
      ...parseYears(typed, errors),
      ...parsePay(typed, values.jobType === "Internship", errors),
      ...parseSteps(typed, errors),
    };
    for (const [name, message] of Object.entries(errors))
      context.addIssue({ code: "custom", path: [name], message });
    return details;
  });

/** The first error of each field. */
type Errors = Partial<Record<DetailName | "skills", string>>;

function parseWork(typed: DetailValues, errors: Errors) {
  const discipline = findOption(disciplines, typed.discipline);
  const workMode = findOption(workModes, typed.workMode);
  if (discipline === undefined) errors.discipline = "Choose a discipline from the list.";
  if (workMode === undefined) errors.workMode = "Choose a work mode from the list.";
  const skillIds = skills
    .filter(({ value }) => typed[getSkillName(value)])
    .map(({ id }): number => id);
  if (skillIds.length > detailLimits.skills)
    errors.skills = `Choose at most ${detailLimits.skills} skills. You chose ${skillIds.length}.`;
  return { discipline: discipline ?? null, workMode: workMode ?? null, skillIds };
}

/** Returns null for an empty value and undefined for an unknown one. */
function findOption<Value extends string>(options: readonly { value: Value }[], typed: string) {
  return typed === "" ? null : options.find(({ value }) => value === typed)?.value;
}

function parsePlaces(typed: DetailValues, errors: Errors) {
  const placeIds = parsePlaceField("places", typed, errors);
  // The fields for applicants are hidden for other modes, with anything that was typed before.
  if (typed.workMode !== "remote") return { placeIds, applicantPlaceIds: [] };
  const named = parsePlaceField("applicantPlaces", typed, errors);
  if (typed.anywhere && typed.applicantPlaces)
    errors.applicantPlaces ??= "Remove the places or untick “Anywhere”.";
  if (!typed.anywhere && !typed.applicantPlaces)
    errors.applicantPlaces = "Enter where applicants may live, or tick “Anywhere”.";
  return { placeIds, applicantPlaceIds: typed.anywhere ? [anywhere] : named };
}

const maxListed = 3;

function parsePlaceField(name: "places" | "applicantPlaces", typed: DetailValues, errors: Errors) {
  if (typed[name].length > maxDetailLengths.places) {
    errors[name] = `Please keep this within ${maxDetailLengths.places} characters`;
    return [];
  }
  const { places, unknown, conflicts } = parsePlaceList(typed[name]);
  const [conflict] = conflicts;
  if (unknown.length > 0) {
    const names = unknown.slice(0, maxListed).map((text) => `“${truncateToCharacters(text, 60)}”`);
    errors[name] = `We don't know ${joinWithOr(names)}. Use the nearest city, or its state.`;
  } else if (conflict) {
    const [one, other] = conflict.map((text) => `“${truncateToCharacters(text, 60)}”`);
    errors[name] = `${one} and ${other} don't fit together. Put “;” between different places.`;
  } else if (places.length > detailLimits.places) {
    const names = places.map((place) => place.name).join(", ");
    errors[name] =
      `Enter at most ${detailLimits.places} places. These are ${places.length}: ${truncateToCharacters(names, 120)}`;
  }
  return places.map(({ id }) => id);
}

function parseYears(typed: DetailValues, errors: Errors) {
  const experienceMin = parseYearField("experienceMin", typed, errors);
  const experienceMax = parseYearField("experienceMax", typed, errors);
  if (experienceMin !== null && experienceMax !== null && experienceMin > experienceMax)
    errors.experienceMax ??= "Enter at least as many years as in “Experience from”.";
  return { experienceMin, experienceMax };
}

function parseYearField(
  name: "experienceMin" | "experienceMax",
  typed: DetailValues,
  errors: Errors,
): number | null {
  if (typed[name] === "") return null;
  const years = parseExperience(typed[name]);
  if (years === null) errors[name] = "Enter whole years, such as 2.";
  else if (years > detailLimits.experience)
    errors[name] = `Enter at most ${detailLimits.experience} years.`;
  return years;
}

function parsePay(typed: DetailValues, isInternship: boolean, errors: Errors) {
  const currency = typed.payCurrency || noDetails.payCurrency;
  if (!knownCurrencies.has(currency)) errors.payCurrency = "Choose a currency from the list.";
  const payMin = parsePayField("payMin", typed, currency, errors);
  const payMax = parsePayField("payMax", typed, currency, errors);
  const payVariable = parsePayField("payVariable", typed, currency, errors);
  const isStated = Boolean(typed.payMin || typed.payMax || typed.payVariable);
  const payPeriod = payPeriods.find((period) => period === typed.payPeriod) ?? null;
  if (isStated && !payPeriod) errors.payPeriod = "Choose a pay period.";
  if (payMin !== null && payMax !== null && payMin > payMax)
    errors.payMax ??= "Enter at least as much as in “Pay from”.";
  for (const [name, amount] of [["payMin", payMin] as const, ["payMax", payMax] as const])
    if (amount === 0 && !isInternship)
      errors[name] ??= "Enter the pay. Only internships can be unpaid.";
  return isStated
    ? { payMin, payMax, payVariable, payPeriod, payCurrency: currency }
    : { payMin, payMax, payVariable, payPeriod: null, payCurrency: noDetails.payCurrency };
}

const knownCurrencies = new Set(Intl.supportedValuesOf("currency"));
/** Yearly pay in rupees below this is a number of lakhs without the word. */
const minYearlyRupees = 1_000;

function parsePayField(
  name: "payMin" | "payMax" | "payVariable",
  typed: DetailValues,
  currency: string,
  errors: Errors,
): number | null {
  const text = typed[name];
  if (text === "") return null;
  const amount = parsePayAmount(text);
  const named = findPayCurrency(text);
  if (amount === null)
    errors[name] =
      currency === "INR"
        ? "Enter one amount, such as 12,00,000 or 12 lakh."
        : "Enter one amount in whole numbers, such as 60,000.";
  else if (named !== null && named !== currency)
    errors[name] = `This amount is in ${named}, but the currency is ${currency}.`;
  else if (amount > detailLimits.pay)
    errors[name] = `Enter at most ${formatPayAmount(detailLimits.pay, currency)}.`;
  else if (isMissingLakh(amount, currency, typed.payPeriod))
    errors[name] = `Enter the full amount. If you mean ${amount} lakh, write “${amount} lakh”.`;
  return amount;
}

function isMissingLakh(amount: number, currency: string, period: string): boolean {
  return currency === "INR" && period === "year" && amount > 0 && amount < minYearlyRupees;
}

function parseSteps(typed: DetailValues, errors: Errors) {
  const testTask = findOption(testTasks, typed.testTask);
  if (testTask === undefined) errors.testTask = "Choose a test task from the list.";
  const testTaskHours = parseCountField("testTaskHours", typed, errors);
  if (typed.testTaskHours && (testTask === null || testTask === "none"))
    errors.testTaskHours = "Choose an unpaid or a paid test task, or remove the hours.";
  return {
    rounds: parseCountField("rounds", typed, errors),
    testTask: testTask ?? null,
    testTaskHours,
    answerDays: parseCountField("answerDays", typed, errors),
  };
}

const counts = {
  rounds: { noun: "rounds", unit: /^(?:rounds?)?$/, example: 3 },
  testTaskHours: { noun: "hours", unit: /^(?:hours?|hrs?\.?)?$/, example: 4 },
  answerDays: { noun: "days", unit: /^(?:days?)?$/, example: 14 },
} as const;

function parseCountField(name: keyof typeof counts, typed: DetailValues, errors: Errors) {
  if (typed[name] === "") return null;
  const { noun, unit, example } = counts[name];
  const max = detailLimits[name];
  const count = parseCountOf(typed[name], unit);
  if (count === null || count < 1 || count > max)
    errors[name] = `Enter a whole number of ${noun} from 1 to ${max}, such as ${example}.`;
  return count;
}

/** Formats details as the values of the form's fields. Parsing them gives the same details. */
export function toDetailValues(details: JobDetails): DetailValues {
  const { experienceMin, experienceMax, applicantPlaceIds, payCurrency } = details;
  const isAnywhere = applicantPlaceIds.includes(anywhere);
  const chosen = skills.filter(({ id }) => details.skillIds.includes(id));
  return {
    ...blankDetails,
    discipline: details.discipline ?? "",
    workMode: details.workMode ?? "",
    places: formatPlaceField(details.placeIds),
    applicantPlaces: isAnywhere ? "" : formatPlaceField(applicantPlaceIds),
    anywhere: isAnywhere ? "on" : "",
    experienceMin: String(experienceMin ?? ""),
    experienceMax: String(experienceMax ?? ""),
    payMin: formatPayAmount(details.payMin, payCurrency),
    payMax: formatPayAmount(details.payMax, payCurrency),
    payVariable: formatPayAmount(details.payVariable, payCurrency),
    payPeriod: details.payPeriod ?? "",
    payCurrency,
    rounds: String(details.rounds ?? ""),
    testTask: details.testTask ?? "",
    testTaskHours: String(details.testTaskHours ?? ""),
    answerDays: String(details.answerDays ?? ""),
    ...Object.fromEntries(chosen.map(({ value }) => [getSkillName(value), "on"])),
  };
}

/** Uses short names, such as "Pune, Bengaluru", if they are clear. */
function formatPlaceField(ids: readonly number[]): string {
  const short = ids.map((id) => getPlace(id).name).join(", ");
  const parsed = parsePlaceList(short).places.map(({ id }) => id);
  return parsed.join() === ids.join() ? short : ids.map(formatPlaceName).join("; ");
}

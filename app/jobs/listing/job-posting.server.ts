import { getClosingEnd } from "../check-rules.ts";
import { skills, type JobDetails, type PayPeriod } from "../details.ts";
import { getCountry, getPlace, listPlaceAncestors } from "../places/find-places.server.ts";
import { anywhere, india } from "../places/rules.ts";
import type { JobType, PublicJob } from "../rules.ts";
import { renderPostedDescription } from "./posted-description.ts";
import {
  getStateName,
  type HomeArea,
  parseWorkplace,
  type WorkAddress,
  type Workplace,
} from "./workplace.server.ts";

const employmentTypes: Record<JobType, string> = {
  "Full-time": "FULL_TIME",
  "Part-time": "PART_TIME",
  Internship: "INTERN",
};

type PostedJob = PublicJob & {
  largeDescription: string | null;
  postedAt: Date;
  /** The last day to apply, if stated. */
  closesOn?: string | null;
};

/**
 * Builds a job's structured data for search engines:
 * https://developers.google.com/search/docs/appearance/structured-data/job-posting
 *
 * The details count more than the typed location. Nothing that is unstated is added. People apply elsewhere,
 * so directApply is missing.
 *
 * @returns null if the country is unknown, since a posting requires one
 */
export function buildJobPosting(job: PostedJob, details: JobDetails, url: string) {
  const { addresses, isRemote, homes } = findWorkplace(job.location, details);
  if (addresses.length === 0 && homes.length === 0) return null;
  const salary = buildSalary(details);
  const experience = buildExperience(details);
  const skillLabels = skills.filter(({ id }) => details.skillIds.includes(id));
  return {
    "@context": "https://schema.org/",
    "@type": "JobPosting",
    title: job.title,
    description: renderPostedDescription(job),
    identifier: { "@type": "PropertyValue", name: job.company, value: job.id },
    datePosted: job.postedAt.toISOString(),
    ...(job.closesOn && { validThrough: getClosingEnd(job.closesOn).toISOString() }),
    employmentType: employmentTypes[job.jobType],
    hiringOrganization: { "@type": "Organization", name: job.company },
    ...(isRemote && {
      jobLocationType: "TELECOMMUTE",
      applicantLocationRequirements: toOneOrMany(homes.map(toSchemaArea)),
    }),
    ...(addresses.length > 0 && { jobLocation: toOneOrMany(addresses.map(toSchemaPlace)) }),
    ...(salary && { baseSalary: salary }),
    ...(experience && { experienceRequirements: experience }),
    ...(skillLabels.length > 0 && { skills: skillLabels.map(({ label }) => label).join(", ") }),
    url,
  };
}

/** Takes each part of the workplace from the details if they state it, otherwise from the location. */
function findWorkplace(location: string, details: JobDetails): Workplace {
  const { workMode, placeIds, applicantPlaceIds } = details;
  const parsed = parseWorkplace(location);
  const isRemote = workMode ? workMode === "remote" : parsed.isRemote;
  const stated = placeIds.map(getPlaceAddress);
  const homes = applicantPlaceIds.map(getHomeArea);
  if (isRemote)
    return {
      isRemote,
      addresses: stated.length > 0 || workMode ? stated : parsed.addresses,
      homes: homes.length > 0 ? homes : parsed.isRemote ? parsed.homes : [getHomeArea(anywhere)],
    };
  // The text of office work can say "remote". As with other unknown places, the country is India then.
  const unstated =
    parsed.isRemote && parsed.addresses.length === 0 ? [{ country: india }] : parsed.addresses;
  return { isRemote, addresses: stated.length > 0 ? stated : unstated, homes: [] };
}

function getPlaceAddress(id: number): WorkAddress {
  const { kind, name, country } = getPlace(id);
  const state = listPlaceAncestors(id)
    .map(getPlace)
    .find((place) => place.kind === "state");
  return {
    ...(kind === "city" && { city: name }),
    ...(state && { state: getStateName(state.name) }),
    country,
  };
}

/**
 * Google requires a country for remote work and has no value for the world. The board is for people in India, who may
 * apply for work from anywhere.
 */
function getHomeArea(id: number): HomeArea {
  if (id === anywhere) return { kind: "country", name: getCountry(india).name };
  const { kind } = getPlace(id);
  const names = listPlaceAncestors(id).map((area) => getStateName(getPlace(area).name));
  return { kind, name: names.join(", ") };
}

type SalaryUnit = "YEAR" | "MONTH" | "WEEK" | "DAY" | "HOUR";
const salaryUnits: Record<PayPeriod, SalaryUnit | null> = {
  year: "YEAR",
  month: "MONTH",
  week: "WEEK",
  day: "DAY",
  hour: "HOUR",
  // Google has no unit for a project.
  project: null,
};

/** Builds the fixed pay in rupees. Variable pay is no part of the base salary. */
function buildSalary({ payMin, payMax, payPeriod, payCurrency }: JobDetails) {
  const unitText = payPeriod && salaryUnits[payPeriod];
  if (!unitText || payCurrency !== "INR" || !(payMax ?? payMin)) return null;
  const amount =
    payMin === payMax
      ? { value: payMin }
      : { ...(payMin && { minValue: payMin }), ...(payMax && { maxValue: payMax }) };
  return {
    "@type": "MonetaryAmount",
    currency: payCurrency,
    value: { "@type": "QuantitativeValue", ...amount, unitText },
  };
}

/** Google takes a number of months or the text "no requirements". */
function buildExperience({ experienceMin }: JobDetails) {
  if (experienceMin === null) return null;
  if (experienceMin === 0) return "no requirements";
  return {
    "@type": "OccupationalExperienceRequirements",
    monthsOfExperience: experienceMin * 12,
  };
}

function toSchemaPlace({ city, state, country }: WorkAddress) {
  return {
    "@type": "Place",
    address: {
      "@type": "PostalAddress",
      ...(city && { addressLocality: city }),
      ...(state && { addressRegion: state }),
      addressCountry: country,
    },
  };
}

const areaTypes = {
  country: "Country",
  state: "State",
  city: "City",
  region: "AdministrativeArea",
} as const;

function toSchemaArea({ kind, name }: HomeArea) {
  return { "@type": areaTypes[kind], name };
}

function toOneOrMany<Item>(items: Item[]): Item | Item[] | undefined {
  return items.length > 1 ? items : items[0];
}

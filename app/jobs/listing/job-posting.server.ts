import { type HomeArea, parseWorkplace, type WorkAddress } from "./workplace.server.ts";
import type { JobType, PublicJob } from "../rules.ts";
import { renderPostedDescription } from "./posted-description.ts";

const employmentTypes: Record<JobType, string> = {
  "Full-time": "FULL_TIME",
  "Part-time": "PART_TIME",
  Internship: "INTERN",
};

type PostedJob = Omit<PublicJob, "compensation"> & {
  largeDescription: string | null;
  postedAt: Date;
};

/**
 * Builds a job's structured data for search engines:
 * https://developers.google.com/search/docs/appearance/structured-data/job-posting
 *
 * A listing has no end date and no salary in numbers, and people apply elsewhere. That's why validThrough, baseSalary
 * and directApply are missing.
 *
 * @returns null if the country is unknown, since a posting requires one
 */
export function buildJobPosting(job: PostedJob, url: string) {
  const { addresses, isRemote, homes } = parseWorkplace(job.location);
  if (!isRemote && addresses.length === 0) return null;
  return {
    "@context": "https://schema.org/",
    "@type": "JobPosting",
    title: job.title,
    description: renderPostedDescription(job),
    identifier: { "@type": "PropertyValue", name: job.company, value: job.id },
    datePosted: job.postedAt.toISOString(),
    employmentType: employmentTypes[job.jobType],
    hiringOrganization: { "@type": "Organization", name: job.company },
    ...(isRemote && {
      jobLocationType: "TELECOMMUTE",
      applicantLocationRequirements: toOneOrMany(homes.map(toSchemaArea)),
    }),
    ...(addresses.length > 0 && { jobLocation: toOneOrMany(addresses.map(toSchemaPlace)) }),
    url,
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

const areaTypes = { country: "Country", state: "State", region: "AdministrativeArea" } as const;

function toSchemaArea({ kind, name }: HomeArea) {
  return { "@type": areaTypes[kind], name };
}

function toOneOrMany<Item>(items: Item[]): Item | Item[] | undefined {
  return items.length > 1 ? items : items[0];
}

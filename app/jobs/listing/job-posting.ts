import { placeNameOf } from "./places.ts";
import { type JobType, paragraphs, type PublicJob } from "../rules.ts";

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
 * The job as search engines read it (schema.org/JobPosting): only what is known. Nobody states an end
 * or a salary in figures, and one applies elsewhere, so that there is no validThrough, no baseSalary
 * and no directApply.
 */
export function jobPosting(job: PostedJob, url: string) {
  return {
    "@context": "https://schema.org/",
    "@type": "JobPosting",
    title: job.title,
    description: paragraphs(job.largeDescription?.trim() || job.description)
      .map(asHtml)
      .join(""),
    identifier: { "@type": "PropertyValue", name: job.company, value: job.id },
    datePosted: job.postedAt.toISOString(),
    employmentType: employmentTypes[job.jobType],
    hiringOrganization: { "@type": "Organization", name: job.company },
    ...whereabouts(job.location),
    url,
  };
}

const india = { "@type": "Country", name: "India" };

function whereabouts(location: string) {
  const isRemote = /\bremote\b/i.test(location) && !/\bhybrid\b/i.test(location);
  return {
    ...(isRemote && { jobLocationType: "TELECOMMUTE", applicantLocationRequirements: india }),
    ...(!(isRemote && onlyRemote(location)) && {
      jobLocation: { "@type": "Place", address: address(location) },
    }),
  };
}

/** Nothing is named beside "remote" but the country. */
function onlyRemote(location: string): boolean {
  return /^[^\p{L}]*$/u.test(
    location.replace(/\b(fully|100|work|from|home|remote|anywhere|within|in|india)\b/gi, ""),
  );
}

/** A city that is known is one of India; of another place, only what was written is known. */
function address(location: string) {
  const city = placeNameOf(location);
  return city
    ? { "@type": "PostalAddress", addressLocality: city, addressCountry: "IN" }
    : { "@type": "PostalAddress", addressLocality: location };
}

function asHtml(paragraph: string): string {
  return `<p>${paragraph.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;
}

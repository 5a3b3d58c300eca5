import { type JobType, paragraphs } from "./rules.ts";

const employmentTypes: Record<JobType, string> = {
  "Full-time": "FULL_TIME",
  "Part-time": "PART_TIME",
  Internship: "INTERN",
};

type PostedJob = {
  title: string;
  company: string;
  location: string;
  jobType: JobType;
  description: string;
  largeDescription: string | null;
  postedAt: Date;
};

/** The job as search engines read it (schema.org/JobPosting): only what is known. */
export function jobPosting(job: PostedJob, url: string) {
  return {
    "@context": "https://schema.org/",
    "@type": "JobPosting",
    title: job.title,
    description: paragraphs(job.largeDescription?.trim() || job.description)
      .map(asHtml)
      .join(""),
    datePosted: job.postedAt.toISOString(),
    employmentType: employmentTypes[job.jobType],
    hiringOrganization: { "@type": "Organization", name: job.company },
    jobLocation: { "@type": "Place", address: job.location },
    url,
  };
}

function asHtml(paragraph: string): string {
  return `<p>${paragraph.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;
}

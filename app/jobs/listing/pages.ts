import type { PublicPage, SocialCard } from "../../ui/meta.ts";
import { type JobTexts, type PublicJob, truncateText } from "../rules.ts";

/** Search results show about this many characters of a description. */
export const descriptionLength = 160;

/** Builds a job's page for search engines and link previews. */
export function buildJobPage(job: PublicJob & JobTexts): PublicPage {
  const facts = [job.place, job.jobType, job.pay].filter(Boolean).join(" · ");
  return {
    path: `/jobs/${job.id}`,
    title: `${job.title} at ${job.company}`,
    description: truncateText(
      `${facts}. ${job.description.replace(/\s+/g, " ")}`,
      descriptionLength,
    ),
    card: buildJobCard(job),
  };
}

/** Builds the text of a job's preview image. */
export function buildJobCard({
  title,
  company,
  place,
  jobType,
  pay,
  coordinates,
}: Omit<PublicJob, "id" | "description" | "location"> & JobTexts): SocialCard {
  return {
    eyebrow: company,
    headline: title,
    facts: [place, jobType, ...(pay ? [pay] : [])],
    coordinates,
  };
}

import type { PublicPage, SocialCard } from "../ui/meta.ts";
import type { BoardQuery } from "./board-query.ts";
import { truncateText, type JobType, type LocatedJob } from "./rules.ts";

export const boardPage: PublicPage = {
  path: "/jobs",
  title: "Design Jobs Board",
  description: "Design jobs across India, each with a real person to contact.",
  card: {
    eyebrow: "Jobs",
    headline: "Design Jobs Board",
    facts: ["Across India", "Each with a real person to contact"],
  },
};

/** Builds the page of one job type, which search engines list in addition to the board. */
export function buildBoardPage(type: JobType | null): PublicPage {
  if (!type) return boardPage;
  return {
    ...boardPage,
    title: `${type} - ${boardPage.title}`,
    description: `${type} design jobs across India, each with a real person to contact.`,
  };
}

/**
 * Describes a filtered list: "Design Jobs Board: Internship, “figma”". Without a filter, returns the board's
 * title.
 */
export function describeFilter({ search, type }: Pick<BoardQuery, "search" | "type">): string {
  const filter = [type, search && `“${search}”`].filter(Boolean).join(", ");
  return filter ? `${boardPage.title}: ${filter}` : boardPage.title;
}

/** Search results show about this many characters of a description. */
const descriptionLength = 160;

/** Builds a job's page for search engines and link previews. */
export function buildJobPage(job: LocatedJob): PublicPage {
  const facts = [job.location, job.jobType, job.compensation].filter(Boolean).join(" · ");
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
  location,
  jobType,
  compensation,
  coordinates,
}: Omit<LocatedJob, "id" | "description">): SocialCard {
  return {
    eyebrow: company,
    headline: title,
    facts: [location, jobType, ...(compensation ? [compensation] : [])],
    coordinates,
  };
}

import type { PublicPage, SocialCard } from "../ui/meta.ts";
import type { BoardQuery, FilterGroup } from "./board-query.ts";
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

/** A chosen value of a filter, with its label. */
export type FilterLabel = { group: FilterGroup; value: string; label: string };

/** Builds the page of one job type or of one filter, which search engines list in addition to the board. */
export function buildBoardPage(type: JobType | null, filter: FilterLabel | null): PublicPage {
  const person = "each with a real person to contact.";
  if (filter) {
    const title = describeOneFilter(filter);
    const area = filter.group === "place" ? "" : " across India";
    return { ...boardPage, title, description: `${title}${area}, ${person}` };
  }
  if (!type) return boardPage;
  return {
    ...boardPage,
    title: `${type} - ${boardPage.title}`,
    description: `${type} design jobs across India, ${person}`,
  };
}

const leastListed = 5;

/**
 * Checks whether search engines list a page of the board: all jobs, one type, or one filter with at least five jobs.
 *
 * @param count the number of jobs on the first page
 */
export function isListedBoard(
  { search, type, sort, after }: BoardQuery,
  labels: readonly FilterLabel[],
  count: number,
): boolean {
  if (search || after || sort !== "newest") return false;
  const [first, ...others] = labels;
  if (!first) return true;
  // Years and pay levels overlap too much to be pages of their own.
  const isPage = first.group !== "experience" && first.group !== "pay";
  return isPage && others.length === 0 && !type && count >= leastListed;
}

function describeOneFilter({ group, label }: FilterLabel): string {
  if (group === "discipline") return `${label} jobs`;
  if (group === "mode") return `${label} design jobs`;
  return group === "place" ? `Design jobs in ${label}` : `Design jobs with ${label}`;
}

/**
 * Describes a filtered list: "Design Jobs Board: Internship, Pune, “figma”". Without a filter, returns the board's
 * title.
 */
export function describeFilter(
  { search, type }: Pick<BoardQuery, "search" | "type">,
  labels: readonly FilterLabel[],
): string {
  const parts = [type, ...labels.map(({ label }) => label), search && `“${search}”`];
  const filter = parts.filter(Boolean).join(", ");
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

import { truncateToCharacters } from "../platform/text/cut-text.ts";
import { writeQuery } from "../platform/lists.ts";
import { cleanLine } from "../platform/text/text.ts";
import { type JobType, jobTypes } from "./rules.ts";

/** The query of the board. */
export type BoardQuery = {
  search: string;
  /** Null is every type. */
  type: JobType | null;
  showSummary: boolean;
  /** The cursor behind which the page begins; null is the newest job. */
  after: string | null;
};

/** A search is cut to this many characters. */
export const longestSearch = 200;

/** Reads the board's address; whatever it holds, it is a query. */
export function parseBoardQuery(params: URLSearchParams): BoardQuery {
  const summary = params.getAll("summary");
  return {
    search: cleanSearch(params.get("search") ?? ""),
    type: jobTypes.find((type) => type === params.get("type")) ?? null,
    // An unticked box sends nothing, so the form sends "hide" before it and a ticked one adds "show".
    showSummary: !summary.includes("hide") || summary.includes("show"),
    after: params.get("after"),
  };
}

/** The shortest address that asks for this. */
export function buildBoardAddress(query: Partial<BoardQuery>): string {
  return buildQueryAddress("/jobs", query);
}

/** The address of the board under which search engines know it: looks are left out. */
export function buildCanonicalBoardAddress({ search, type, after }: Partial<BoardQuery>): string {
  return buildQueryAddress("/jobs", { search, type, after });
}

/** The two formats in which a list of jobs can be followed. */
type FeedFormat = "atom" | "json";

/** Their media types. */
export const feedTypes: Record<FeedFormat, string> = {
  atom: "application/atom+xml",
  json: "application/feed+json",
};

/** The feed of the jobs that the board lists for this. */
export function buildFeedAddress(format: FeedFormat, { search, type, after }: Partial<BoardQuery>) {
  return buildQueryAddress(`/jobs/feed.${format}`, { search, type, after });
}

function buildQueryAddress(
  path: string,
  { search, type, showSummary, after }: Partial<BoardQuery>,
): string {
  return path + writeQuery({ search, type, summary: showSummary === false ? "hide" : null, after });
}

/** Cleans a search: one line, no invisible characters, and within the length limit. */
export function cleanSearch(text: string): string {
  return truncateToCharacters(cleanLine(text), longestSearch).trim();
}

import { truncateToCharacters } from "../platform/text/cut-text.ts";
import { writeQuery } from "../platform/lists.ts";
import { cleanLine } from "../platform/text/text.ts";
import { type JobType, jobTypes } from "./rules.ts";

/** The query of the board. */
export type BoardQuery = {
  search: string;
  /** Null means every type. */
  type: JobType | null;
  showSummary: boolean;
  /** The cursor that the page starts after; null for the newest jobs. */
  after: string | null;
};

/** Longer searches are cut to this many characters. */
export const longestSearch = 200;

/** Parses the board's address. Unknown values are ignored. */
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

/** Builds the shortest address for a query. */
export function buildBoardAddress(query: Partial<BoardQuery>): string {
  return buildQueryAddress("/jobs", query);
}

/** Builds the address for search engines, without display settings. */
export function buildCanonicalBoardAddress({ search, type, after }: Partial<BoardQuery>): string {
  return buildQueryAddress("/jobs", { search, type, after });
}

/** The two feed formats. */
type FeedFormat = "atom" | "json";

/** The media types of the feed formats. */
export const feedTypes: Record<FeedFormat, string> = {
  atom: "application/atom+xml",
  json: "application/feed+json",
};

/** Builds the address of the feed for a query. */
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

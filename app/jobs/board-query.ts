import { truncateToCharacters } from "../platform/text/cut-text.ts";
import { cleanLine } from "../platform/text/text.ts";
import {
  detailLimits,
  type Discipline,
  disciplines,
  type PayLevel,
  payLevels,
  type SkillName,
  skills,
  type WorkMode,
  workModes,
} from "./details.ts";
import { type JobType, jobTypes } from "./rules.ts";

/** The filters of the board. A filter with several values finds jobs with any of them. */
export type BoardFilters = {
  search: string;
  /** Null means every type. */
  type: JobType | null;
  discipline: Discipline[];
  mode: WorkMode[];
  /** Slugs of places, or typed names until `resolvePlaces` finds their slugs. */
  place: string[];
  skill: SkillName[];
  /** Years that a job's range includes, or the jobs that don't state a range. */
  experience: number | "unstated" | null;
  /** The least top of the yearly pay, or the jobs without comparable pay. */
  pay: PayLevel | "unstated" | "other" | null;
};

/** The filters with several values. */
export const choiceGroups = ["discipline", "mode", "place", "skill"] as const;
export type ChoiceGroup = (typeof choiceGroups)[number];
export const filterGroups = [...choiceGroups, "experience", "pay"] as const;
export type FilterGroup = (typeof filterGroups)[number];

export const boardSorts = ["newest", "pay"] as const;

/** The query of the board. */
export type BoardQuery = BoardFilters & {
  sort: (typeof boardSorts)[number];
  showSummary: boolean;
  /** The cursor that the page starts after; null for the first page. */
  after: string | null;
};

/** Every job, newest first. */
export const emptyBoardQuery: BoardQuery = {
  search: "",
  type: null,
  discipline: [],
  mode: [],
  place: [],
  skill: [],
  experience: null,
  pay: null,
  sort: "newest",
  showSummary: true,
  after: null,
};

/** Longer searches are cut to this many characters. */
export const longestSearch = 200;
/** Longer names of places are cut to this many characters. */
export const longestPlaceName = 80;
/** Each filter takes this many values. */
export const maxChoices = 10;

/** Parses the board's address. Unknown values are ignored. */
export function parseBoardQuery(params: URLSearchParams): BoardQuery {
  const summary = params.getAll("summary");
  return {
    search: cleanSearch(params.get("search") ?? ""),
    type: jobTypes.find((type) => type === params.get("type")) ?? null,
    discipline: parseChoices(params.getAll("discipline"), disciplines),
    mode: parseChoices(params.getAll("mode"), workModes),
    place: parsePlaceNames(params.getAll("place")),
    skill: parseChoices(params.getAll("skill"), skills),
    experience: parseExperience(params.get("experience")),
    pay: parsePay(params.get("pay")),
    sort: params.get("sort") === "pay" ? "pay" : "newest",
    // An unticked box sends nothing, so the form sends "hide" before it and a ticked one adds "show".
    showSummary: !summary.includes("hide") || summary.includes("show"),
    after: params.get("after"),
  };
}

type Known<Value extends string> = readonly { value: Value }[];

/** Returns the first known values, in the order of the list. */
function parseChoices<Value extends string>(given: string[], known: Known<Value>): Value[] {
  const found = new Set(given.filter((value) => known.some((one) => one.value === value)));
  return sortChoices([...found].slice(0, maxChoices) as Value[], known);
}

function sortChoices<Value extends string>(chosen: Value[], known: Known<Value>): Value[] {
  return known.map(({ value }) => value).filter((value) => chosen.includes(value));
}

function parsePlaceNames(given: string[]): string[] {
  const names = new Set(given.map(cleanPlaceName).filter(Boolean));
  return [...names].slice(0, maxChoices).toSorted();
}

/** Cleans the slug or typed name of a place: one line, within the length limit. */
export function cleanPlaceName(text: string): string {
  return truncateToCharacters(cleanLine(text), longestPlaceName).trim();
}

function parseExperience(given: string | null): BoardFilters["experience"] {
  if (given === "unstated") return given;
  const years = /^\d{1,2}$/.test(given ?? "") ? Number(given) : Infinity;
  return years <= detailLimits.experience ? years : null;
}

function parsePay(given: string | null): BoardFilters["pay"] {
  if (given === "unstated" || given === "other") return given;
  return payLevels.find(({ value }) => value === given)?.value ?? null;
}

/** Builds the shortest address for a query. A query has one address, whatever the order of its values. */
export function buildBoardAddress(query: Partial<BoardQuery>): string {
  return buildQueryAddress("/jobs", query);
}

/** Builds the address for search engines, without display settings. */
export function buildCanonicalBoardAddress(query: Partial<BoardQuery>): string {
  return buildQueryAddress("/jobs", { ...query, showSummary: true });
}

/** The two feed formats. */
type FeedFormat = "atom" | "json";

/** The media types of the feed formats. */
export const feedTypes: Record<FeedFormat, string> = {
  atom: "application/atom+xml",
  json: "application/feed+json",
};

/** Builds the address of the feed for a query. Feeds are always sorted by time. */
export function buildFeedAddress(format: FeedFormat, query: Partial<BoardQuery>) {
  return buildQueryAddress(`/jobs/feed.${format}`, { ...query, sort: "newest", showSummary: true });
}

function buildQueryAddress(path: string, query: Partial<BoardQuery>): string {
  const params = new URLSearchParams();
  for (const [name, values] of Object.entries(listParameters(query)))
    for (const value of values) if (value !== null && value !== "") params.append(name, `${value}`);
  return params.size > 0 ? `${path}?${params.toString()}` : path;
}

/** Lists the parameters in the order of the canonical address. */
function listParameters(given: Partial<BoardQuery>): Record<string, (string | number | null)[]> {
  const query = { ...emptyBoardQuery, ...given };
  return {
    search: [query.search],
    type: [query.type],
    discipline: sortChoices(query.discipline, disciplines),
    mode: sortChoices(query.mode, workModes),
    place: [...new Set(query.place)].toSorted(),
    skill: sortChoices(query.skill, skills),
    experience: [query.experience],
    pay: [query.pay],
    sort: [query.sort === "pay" ? "pay" : null],
    summary: [query.showSummary ? null : "hide"],
    after: [query.after],
  };
}

/** Cleans a search: one line, no invisible characters, and within the length limit. */
export function cleanSearch(text: string): string {
  return truncateToCharacters(cleanLine(text), longestSearch).trim();
}

/** Checks whether a query chooses a value in any of the filters beside search and type. */
export function hasFilters(query: BoardFilters): boolean {
  return filterGroups.some((group) => listChosen(query, group).length > 0);
}

/** Lists the chosen values of a filter as they are in the address. */
export function listChosen(query: BoardFilters, group: FilterGroup): string[] {
  const chosen = query[group];
  if (Array.isArray(chosen)) return chosen;
  return chosen === null ? [] : [String(chosen)];
}

/** Returns the query without one value of a filter, or without all of its values, from the first page. */
export function removeChoice(query: BoardQuery, group: FilterGroup, value?: string): BoardQuery {
  const chosen: readonly string[] = listChosen(query, group);
  const left = value === undefined ? [] : chosen.filter((one) => one !== value);
  const isList = Array.isArray(query[group]);
  return { ...query, after: null, [group]: isList ? left : null };
}

/** Returns the query without any of these filters, with its search and type, from the first page. */
export function removeFilters(query: BoardQuery): BoardQuery {
  return filterGroups.reduce<BoardQuery>((left, group) => removeChoice(left, group), query);
}

/**
 * Returns the key of a cached page, which is the same for all addresses of a query. Null if the address has values that
 * the page names as ignored, since anyone could make up any number of them.
 */
export function getBoardCacheKey(params: URLSearchParams): string | null {
  const query = parseBoardQuery(params);
  const isAccepted = (name: keyof BoardFilters, given: string) => {
    const chosen = query[name];
    return Array.isArray(chosen) ? (chosen as string[]).includes(given) : `${chosen}` === given;
  };
  for (const name of ["type", ...filterGroups] as const) {
    const given = params.getAll(name).map(cleanPlaceName).filter(Boolean);
    if (!given.every((value) => isAccepted(name, value))) return null;
  }
  return ["", "newest", "pay", null].includes(params.get("sort")) ? buildBoardAddress(query) : null;
}

import type { OwnPath } from "../../platform/own-path.ts";
import { truncateToCharacters } from "../../platform/text/cut-text.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { detailLimits, type PayLevel, payLevels } from "../detail-limits.ts";
import { type JobType, jobTypes } from "../rules.ts";

/**
 * The filters of the board. A filter with several values finds jobs with any of them. `parseJobFilter` checks these
 * values on the server, since the browser doesn't load their lists.
 */
export type ChosenFilters = {
  search: string;
  /** Null means every type. */
  type: JobType | null;
  discipline: string[];
  mode: string[];
  /** Slugs of places, or typed names until they are checked. */
  place: string[];
  skill: string[];
  /** Years that a job's range includes, or the jobs that don't state a range. */
  experience: number | "unstated" | null;
  /** The least top of the yearly pay, or the jobs without comparable pay. */
  pay: PayLevel | "unstated" | "other" | null;
  /** The jobs that state a paid test task or none, or those that don't state it. */
  task: (typeof taskFilters)[number] | null;
};

export const taskFilters = ["no-unpaid", "unstated"] as const;

/** The filters with several values. */
export const choiceGroups = ["discipline", "mode", "place", "skill"] as const;
export type ChoiceGroup = (typeof choiceGroups)[number];
export const filterGroups = [...choiceGroups, "experience", "pay", "task"] as const;
export type FilterName = (typeof filterGroups)[number];

export const boardSorts = ["newest", "pay"] as const;

export type BoardQuery = ChosenFilters & {
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
  task: null,
  sort: "newest",
  showSummary: true,
  after: null,
};

/** Longer searches are cut to this many characters. */
export const maxSearchLength = 200;
/** Longer values and names of places are cut to this many characters. */
export const maxFilterNameLength = 80;
/** Each filter takes this many values. */
export const maxChoices = 10;

/** Parses the board's address. Other unknown values are ignored. */
export function parseBoardQuery(params: URLSearchParams): BoardQuery {
  const summary = params.getAll("summary");
  return {
    search: cleanSearch(params.get("search") ?? ""),
    type: jobTypes.find((type) => type === params.get("type")) ?? null,
    discipline: parseChoices(params.getAll("discipline")),
    mode: parseChoices(params.getAll("mode")),
    place: parseChoices(params.getAll("place")),
    skill: parseChoices(params.getAll("skill")),
    experience: parseExperienceFilter(params.get("experience")),
    pay: parsePayFilter(params.get("pay")),
    task: taskFilters.find((value) => value === params.get("task")) ?? null,
    sort: params.get("sort") === "pay" ? "pay" : "newest",
    // An unticked box sends nothing, so the form sends "hide" before it and a ticked one adds "show".
    showSummary: !summary.includes("hide") || summary.includes("show"),
    after: params.get("after"),
  };
}

/** Returns the first values, sorted. */
function parseChoices(names: string[]): string[] {
  const values = new Set(names.map(cleanFilterName).filter(Boolean));
  return [...values].slice(0, maxChoices).toSorted();
}

/** Cleans a value or the typed name of a place: one line, within the length limit. */
export function cleanFilterName(text: string): string {
  return truncateToCharacters(cleanLine(text), maxFilterNameLength).trim();
}

function parseExperienceFilter(value: string | null): ChosenFilters["experience"] {
  if (value === "unstated") return value;
  const years = /^\d{1,2}$/.test(value ?? "") ? Number(value) : Infinity;
  return years <= detailLimits.experience ? years : null;
}

function parsePayFilter(text: string | null): ChosenFilters["pay"] {
  if (text === "unstated" || text === "other") return text;
  return payLevels.find(({ value }) => value === text)?.value ?? null;
}

/** Builds the shortest address for a query. A query has one address, whatever the order of its values. */
export function buildBoardAddress(query: Partial<BoardQuery>): OwnPath {
  return buildQueryAddress("/jobs", query);
}

/** Builds the address for search engines, without display settings. */
export function buildCanonicalBoardAddress(query: Partial<BoardQuery>): OwnPath {
  return buildQueryAddress("/jobs", { ...query, showSummary: true });
}

type FeedFormat = "atom" | "json";

export const feedTypes: Record<FeedFormat, string> = {
  atom: "application/atom+xml",
  json: "application/feed+json",
};

/** Builds the address of the feed for a query. Feeds are always sorted by time. */
export function buildFeedAddress(format: FeedFormat, query: Partial<BoardQuery>): OwnPath {
  return buildQueryAddress(`/jobs/feed.${format}`, { ...query, sort: "newest", showSummary: true });
}

/** Builds the address where people ask for new jobs of a query by email. */
export function buildAlertAddress(query: Partial<BoardQuery>): OwnPath {
  return buildQueryAddress("/jobs/alerts", {
    ...query,
    sort: "newest",
    showSummary: true,
    after: null,
  });
}

function buildQueryAddress(path: OwnPath, query: Partial<BoardQuery>): OwnPath {
  const params = new URLSearchParams();
  for (const [name, values] of Object.entries(listParameters(query)))
    for (const value of values) if (value !== null && value !== "") params.append(name, `${value}`);
  return params.size > 0 ? `${path}?${params.toString()}` : path;
}

/** Lists the parameters in the order of the canonical address. */
function listParameters(part: Partial<BoardQuery>): Record<string, (string | number | null)[]> {
  const query = { ...emptyBoardQuery, ...part };
  return {
    search: [query.search],
    type: [query.type],
    discipline: sortChoices(query.discipline),
    mode: sortChoices(query.mode),
    place: sortChoices(query.place),
    skill: sortChoices(query.skill),
    experience: [query.experience],
    pay: [query.pay],
    task: [query.task],
    sort: [query.sort === "pay" ? "pay" : null],
    summary: [query.showSummary ? null : "hide"],
    after: [query.after],
  };
}

function sortChoices(values: string[]): string[] {
  return [...new Set(values)].toSorted();
}

/** Cleans a search: one line, no invisible characters, and within the length limit. */
export function cleanSearch(text: string): string {
  return truncateToCharacters(cleanLine(text), maxSearchLength).trim();
}

/** Checks whether a query chooses a value in any of the filters beside search and type. */
export function hasFilters(query: ChosenFilters): boolean {
  return filterGroups.some((group) => listChosen(query, group).length > 0);
}

/** Lists the chosen values of a filter as they are in the address. */
export function listChosen(query: ChosenFilters, group: FilterName): string[] {
  const chosen = query[group];
  if (Array.isArray(chosen)) return chosen;
  return chosen === null ? [] : [String(chosen)];
}

/** Returns the query without one value of a filter, or without all of its values, from the first page. */
export function removeChoice(query: BoardQuery, group: FilterName, value?: string): BoardQuery {
  const chosen = listChosen(query, group);
  const left = value === undefined ? [] : chosen.filter((one) => one !== value);
  const isList = Array.isArray(query[group]);
  return { ...query, after: null, [group]: isList ? left : null };
}

/** Returns the query without any of these filters, with its search and type, from the first page. */
export function removeFilters(query: BoardQuery): BoardQuery {
  return filterGroups.reduce<BoardQuery>((left, group) => removeChoice(left, group), query);
}

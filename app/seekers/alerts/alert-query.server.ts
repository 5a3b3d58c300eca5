import {
  buildAlertAddress,
  buildBoardAddress,
  emptyBoardQuery,
} from "../../jobs/filters/board-query.ts";
import { describeIgnoredValues, listFilterParts } from "../../jobs/filters/filter-labels.server.ts";
import { type JobFilter, parseJobFilter } from "../../jobs/filters/job-filter.server.ts";
import { describeNamedJobs, findNamedFilter } from "../../jobs/filters/named-filter.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";

type AlertFilters = {
  /** The canonical form in which alerts are stored; empty for all jobs. */
  query: string;
  /** A sentence about the values that the board doesn't know; null without any. */
  ignored: string | null;
};

/** Parses the filters in an address as the board does. Its order, page and display settings are left out. */
export function parseAlertFilters(params: URLSearchParams): AlertFilters {
  const { query, ignored } = parseJobFilter(params);
  const { sort, showSummary, after } = emptyBoardQuery;
  const address = buildBoardAddress({ ...query, sort, showSummary, after });
  return {
    query: address.slice(buildBoardAddress({}).length).replace(/^\?/, ""),
    ignored: describeIgnoredValues(ignored.filter(({ filter }) => filter !== "sort")),
  };
}

/** Returns a stored alert's filter of the board. Values that the board no longer knows are left out. */
export function toJobFilter(query: string): JobFilter {
  return parseJobFilter(new URLSearchParams(query));
}

/** Finds the alert on the filters that an alert's search names: "jobs in Mumbai". Null without such a name. */
export function findNamedAlert(query: string): { label: string; to: OwnPath } | null {
  const filter = toJobFilter(query);
  const named = findNamedFilter(filter.query.search);
  if (!named) return null;
  return {
    label: describeNamedJobs(named),
    to: buildAlertAddress({ ...filter.query, ...named.chosen, search: "" }),
  };
}

/** Builds the path of the board with an alert's filters. */
export function buildBoardPath(query: string): OwnPath {
  return query ? `/jobs?${query}` : "/jobs";
}

/** Lists the labels of an alert's filters: "Internship", "UX design", "Pune", "“figma”". */
export function listAlertLabels(query: string): string[] {
  return listFilterParts(toJobFilter(query));
}

/** Describes an alert's filters: "Internship, UX design, Pune", or "All jobs". */
export function describeAlert(query: string): string {
  return listAlertLabels(query).join(", ") || "All jobs";
}

/** Describes an alert's filters without the words of a search, for addresses that may not be the sender's. */
export function describeWithoutSearch(query: string): string {
  const { search } = toJobFilter(query).query;
  const labels = listAlertLabels(query);
  if (search === "") return describeAlert(query);
  return [...labels.slice(0, -1), "the words of your search"].join(", ");
}

import { buildAlertAddress, buildBoardAddress, emptyBoardQuery } from "../../jobs/board-query.ts";
import { listFilterLabels } from "../../jobs/filter-labels.server.ts";
import { describeNamedJobs, findNamedFilter } from "../../jobs/named-filter.server.ts";
import {
  type CheckedQuery,
  describeIgnoredValues,
  parseCheckedQuery,
} from "../../jobs/filter-values.server.ts";

/** The filters of an alert. */
export type AlertFilters = {
  /** The canonical form in which alerts are stored; empty for all jobs. */
  query: string;
  /** A sentence about the values that the board doesn't know; null without any. */
  ignored: string | null;
};

/** Parses the filters in an address as the board does. Its order, page and display settings are left out. */
export function parseAlertFilters(params: URLSearchParams): AlertFilters {
  const { query, ignored } = parseCheckedQuery(params);
  const { sort, showSummary, after } = emptyBoardQuery;
  const address = buildBoardAddress({ ...query, sort, showSummary, after });
  return {
    query: address.slice(buildBoardAddress({}).length).replace(/^\?/, ""),
    ignored: describeIgnoredValues(ignored.filter(({ filter }) => filter !== "sort")),
  };
}

/** Returns a stored alert's filters for the board. Values that the board no longer knows are left out. */
export function toBoardQuery(query: string): CheckedQuery["query"] {
  return parseCheckedQuery(new URLSearchParams(query)).query;
}

/** Finds the alert on the filters that an alert's search names: "jobs in Mumbai". Null without such a name. */
export function findNamedAlert(query: string): { label: string; to: string } | null {
  const filters = toBoardQuery(query);
  const named = findNamedFilter(filters.search);
  if (!named) return null;
  return {
    label: describeNamedJobs(named),
    to: buildAlertAddress({ ...filters, ...named, search: "" }),
  };
}

/** Builds the path of the board with an alert's filters. */
export function buildBoardPath(query: string): string {
  return query ? `/jobs?${query}` : "/jobs";
}

/** Lists the labels of an alert's filters: "Internship", "UX design", "Pune", "“figma”". */
export function listAlertLabels(query: string): string[] {
  const filters = toBoardQuery(query);
  const { type, search } = filters;
  const labels = listFilterLabels(filters).map(({ label }) => label);
  return [...(type ? [type] : []), ...labels, ...(search ? [`“${search}”`] : [])];
}

/** Describes an alert's filters: "Internship, UX design, Pune", or "All jobs". */
export function describeAlert(query: string): string {
  return listAlertLabels(query).join(", ") || "All jobs";
}

/** Describes an alert's filters without the words of a search, for addresses that may not be the sender's. */
export function describeWithoutSearch(query: string): string {
  const { search } = toBoardQuery(query);
  const labels = listAlertLabels(query);
  if (search === "") return describeAlert(query);
  return [...labels.slice(0, -1), "the words of your search"].join(", ");
}

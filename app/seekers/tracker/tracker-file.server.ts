import { formatCsv } from "../../platform/csv.server.ts";
import { listingPrefix, trackerLabels } from "./rules.ts";
import type { trackedJobs } from "./tables.server.ts";

type Row = Pick<
  typeof trackedJobs.$inferSelect,
  | "title"
  | "company"
  | "place"
  | "state"
  | "appliedOn"
  | "nextStepOn"
  | "url"
  | "notes"
  | "motivation"
>;

const head = [
  "Title",
  "Company",
  "Place",
  "State",
  "Applied on",
  "Next step on",
  "Link",
  "Notes",
  "Why this job",
];

/**
 * Formats a list of jobs as a CSV file for spreadsheets.
 *
 * @param origin for the links to listings of the board
 */
export function formatTrackerFile(rows: Row[], origin: string): string {
  const lines = rows.map(
    ({ title, company, place, state, appliedOn, nextStepOn, url, notes, motivation }) => [
      title,
      company,
      place,
      trackerLabels[state].label,
      appliedOn,
      nextStepOn,
      url.startsWith(listingPrefix) ? origin + url : url,
      notes,
      motivation,
    ],
  );
  return formatCsv([head, ...lines]);
}

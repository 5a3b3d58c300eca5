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
 * Formats a list of jobs as a CSV file for spreadsheets: UTF-8 with a byte order mark, and lines that end in CRLF.
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
  const text = [head, ...lines].map((cells) => cells.map(formatCell).join(",")).join("\r\n");
  return `\uFEFF${text}\r\n`;
}

/**
 * Spreadsheets run a cell that begins with one of these as a formula, also in the full-width forms. A quote keeps it a
 * text.
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function formatCell(cell: string | null): string {
  const text = cell ?? "";
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

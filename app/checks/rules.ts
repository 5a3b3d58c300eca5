/** Rules for reports on listings: reasons, limits and labels. */
import { day, hour } from "../platform/clock.ts";

export const reportReasons = ["money", "fake", "closed", "facts", "data", "other"] as const;
export type ReportReason = (typeof reportReasons)[number];

export const reasonLabels: Record<ReportReason, string> = {
  money: "It asks for money",
  fake: "The job or the company isn't real",
  closed: "The job is no longer open",
  facts: "Something in the listing is wrong",
  data: "It asks for private data, such as bank details, Aadhaar or a code",
  other: "Something else",
};

/** The labels in public lists and for admins. */
export const categoryLabels: Record<ReportReason, string> = {
  money: "Asked for money",
  fake: "Not a real job",
  closed: "No longer open",
  facts: "Wrong facts",
  data: "Asked for private data",
  other: "Another reason",
};

export const reportStates = ["open", "archived", "dismissed"] as const;

/** The maximum length of a report's text, in UTF-16 units. */
export const maxReportLength = 2_000;

/** Time to confirm a visitor's report. */
export const confirmWithin = 48 * hour;

/** Open reports of this many confirmed accounts, or addresses on different networks, alert the admins. */
export const alertThreshold = 3;

/** Personal data of a report is deleted this long after the decision. */
export const reporterRetention = 180 * day;

export const maxRemovals = 100;

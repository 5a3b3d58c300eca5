/** Rules for managing job listings: fields, limits, messages and the query of the list. */
import type { OwnPath } from "../../platform/own-path.ts";
import { type BoardQuery, cleanSearch } from "../filters/board-query.ts";
import type { JobDetails } from "../details.ts";
import { type JobContacts, type JobType, jobTypes } from "../rules.ts";
import { blankDetails, detailsMarker, type DetailValues } from "./details/rules.ts";

/** The fields that people write. The server sets everything else. */
export type JobFields = JobContacts & {
  title: string;
  company: string;
  location: string;
  jobType: JobType;
  compensation: string | null;
  /** The brief summary. */
  description: string;
  largeDescription: string;
};

/** A listing as a form sends it. Details that are missing stay as they are. */
export type JobInput = JobFields & Partial<JobDetails> & { closesOn?: string | null };

export const maxLengths = {
  title: 150,
  company: 120,
  location: 120,
  compensation: 120,
  description: 2_000,
  largeDescription: 15_000,
  pocName: 120,
  pocContact: 300,
  portalApplicationLink: 2_000,
  directApplicationLink: 2_000,
} as const satisfies Partial<Record<keyof JobFields, number>>;

export const blankFields: Record<keyof JobFields, string> = {
  title: "",
  company: "",
  location: "",
  jobType: "Full-time",
  compensation: "",
  description: "",
  largeDescription: "",
  pocName: "",
  pocContact: "",
  portalApplicationLink: "",
  directApplicationLink: "",
};

export type JobValues = typeof blankFields & DetailValues & { closesOn: string };

export const blankJob: JobValues = { ...blankFields, ...blankDetails, closesOn: "" };

/**
 * Replaces saved values with typed ones. An unticked checkbox sends nothing, so typed details replace all saved
 * details.
 */
export function applyTypedValues(
  saved: JobValues,
  typed: Readonly<Record<string, string | undefined>>,
): JobValues {
  const isComplete = typed[detailsMarker] !== undefined;
  return { ...saved, ...(isComplete && { ...blankDetails, closesOn: "" }), ...typed };
}

export const messages = {
  signedOut: "You must be signed in to create or edit a job listing",
  notFound: "Job listing not found",
  changedMeanwhile: "Someone else changed this listing after you opened it. Please reload.",
  nobodyToAsk:
    "Nobody to ask: this listing names no contact. Add a name and a way to reach them, so that people can ask before they apply, and we can ask if the job is still open.",
  changedAgain: "This listing was changed after that, so it stays as it is now.",
  named: "An admin has to check the text of this listing first.",
  removed: "We removed this listing after reports. Contact us if you disagree.",
  removedStays:
    "We removed this listing after reports, so it can't be deleted. Contact us if you disagree.",
  reportedStays:
    "We are checking reports on this listing, so it can't be deleted now. You can archive it.",
  notCheckedInTime:
    "This listing left the board because nobody checked it in time. Contact us, and we'll check it.",
  listFailed: "Failed to load job listings",
  saveFailed: "Failed to submit job listing",
  undoFailed: "Failed to undo",
} as const;

/** The one-press actions on a listing, with their messages for success and failure. */
export const intentMessages = {
  "archive-job": {
    done: "Job listing archived successfully",
    failed: "Failed to archive job listing",
  },
  "unarchive-job": {
    done: "Job listing unarchived successfully",
    failed: "Failed to unarchive job listing",
  },
  "delete-job": {
    done: "Job listing deleted successfully",
    failed: "Failed to delete job listing",
  },
} as const;

export type JobIntent = keyof typeof intentMessages;

/** The titles of failed forms, by intent. */
export const failedTitles = {
  "create-job": messages.saveFailed,
  "update-job": messages.saveFailed,
  "archive-job": intentMessages["archive-job"].failed,
  "unarchive-job": intentMessages["unarchive-job"].failed,
  "delete-job": intentMessages["delete-job"].failed,
  "undo-archive": messages.undoFailed,
};

export type OpenForm = { intent: "create" } | { intent: "edit" | "delete"; id: string };

/** The query of a list of listings. */
export type ManageQuery = Pick<BoardQuery, "search" | "type" | "after"> & {
  isArchived: boolean;
  form: OpenForm | null;
};

/** Parses the address of a list. Unknown values are ignored. */
export function parseManageQuery(params: URLSearchParams): ManageQuery {
  return {
    isArchived: params.get("tab") === "archived",
    search: cleanSearch(params.get("search") ?? ""),
    type: jobTypes.find((type) => type === params.get("type")) ?? null,
    after: params.get("after") || null,
    form: parseOpenForm(params),
  };
}

function parseOpenForm(params: URLSearchParams): OpenForm | null {
  if (params.has("new")) return { intent: "create" };
  for (const intent of ["edit", "delete"] as const) {
    const id = params.get(intent);
    if (id) return { intent, id };
  }
  return null;
}

export function buildManageAddress<Path extends OwnPath | "">(
  path: Path,
  { isArchived, search, type, after, form }: Partial<ManageQuery>,
): Path | `${Path}?${string}` {
  const params = new URLSearchParams();
  if (isArchived) params.set("tab", "archived");
  if (search) params.set("search", search);
  if (type) params.set("type", type);
  if (after) params.set("after", after);
  if (form) params.set(form.intent === "create" ? "new" : form.intent, "id" in form ? form.id : "");
  return params.size > 0 ? `${path}?${params}` : path;
}

/** What a job listing is to those who manage it: its fields, their limits, and what is said of them. */
import type { JobContacts, JobType } from "../rules.ts";

/** What a person writes into a listing; everything else about it is the server's. */
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

export const longest = {
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

/** The fields as a form shows them. */
export type JobValues = Record<keyof JobFields, string>;

export const blankJob: JobValues = {
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

export const messages = {
  signedOut: "You must be signed in to create or edit a job listing",
  notFound: "Job listing not found",
  listFailed: "Failed to load job listings",
  saveFailed: "Failed to submit job listing",
} as const;

/** What can be done to a listing by one press, and what is said when it is done and when it fails. */
export const intentCopy = {
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

export type JobIntent = keyof typeof intentCopy;

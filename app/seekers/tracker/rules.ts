/** Rules for a person's own list of jobs: states and limits; safe for the browser. */

/** Any state may follow any other. */
export const trackerStates = [
  "saved",
  "applied",
  "interviewing",
  "offer",
  "rejected",
  "withdrawn",
] as const;
export type TrackerState = (typeof trackerStates)[number];

/** Limits of a tracked job, in UTF-16 units, and of the list, in jobs. */
export const trackerLimits = { title: 200, company: 200, place: 200, url: 2_000, notes: 5_000 };
export const maxTrackedJobs = 1_000;

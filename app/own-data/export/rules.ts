/** The rules of exports of a person's own data; safe for the browser. */

export const exportStates = ["preparing", "ready", "failed", "expired"] as const;
export type ExportState = (typeof exportStates)[number];

/** The people who can start an export. Only the person whose data it is can download it. */
export const exportStarters = ["person", "staff"] as const;

/** For how many days the file can be downloaded. */
export const daysKept = 7;

export const oneADay =
  "You can start one export a day. Download the one below, or come back tomorrow.";

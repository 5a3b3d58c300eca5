/** Rules for listings that companies post: states, limits, labels and messages. Safe for the browser. */
import type { JobValues } from "../jobs/manage/rules.ts";
import { day } from "../platform/clock.ts";

/**
 * draft: only the company's members see it. waiting: an admin reads it. returned: an admin gave a reason. payable: an admin
 * approved it, and its company pays. live: it was published. discarded: its text is deleted.
 */
export const submissionStates = [
  "draft",
  "waiting",
  "returned",
  "payable",
  "live",
  "discarded",
] as const;
export type SubmissionState = (typeof submissionStates)[number];

/** The states in which members change a listing's text. */
export const editableStates: readonly SubmissionState[] = ["draft", "returned"];

/** The states of a listing or a change that is neither published nor discarded. */
export const unpublishedStates: readonly SubmissionState[] = [
  ...editableStates,
  "waiting",
  "payable",
];

/** A change is of a published listing. */
export type SubmissionKind = "listing" | "change";

export const kindLabels: Record<SubmissionKind, string> = {
  listing: "Listing",
  change: "Change",
};

/** @param baseVersion the version of the published listing on which a change is based; null for a new listing */
export function getKind({ baseVersion }: { baseVersion: string | null }): SubmissionKind {
  return baseVersion === null ? "listing" : "change";
}

/** link: a listing of staff that an admin linked to the company. It was never sent. */
export const submissionSources = ["form", "import", "link"] as const;
export type SubmissionSource = (typeof submissionSources)[number];

/** The formats of files with listings, as the command line names them, with the names that people see. */
export const importProviders = {
  greenhouse: "Greenhouse",
  lever: "Lever",
  ashby: "Ashby",
  json: "JSON",
  csv: "CSV",
  "wp-job-manager": "WP Job Manager",
} as const;
export type ImportProvider = keyof typeof importProviders;

export const stateLabels: Record<SubmissionState, string> = {
  draft: "Draft",
  waiting: "Waiting for our check",
  returned: "Needs changes",
  payable: "Approved, not paid yet",
  live: "Published",
  discarded: "Discarded",
};

/** The listings of one company that may wait at the same time. */
export const maxWaiting = 5;

/** The drafts and returned listings of one company. */
export const maxDrafts = 50;

/** A company may start to pay for an approved listing for this long. */
export const payableFor = 7 * day;

/** The purchase of an order that publishes a listing: the text that was approved. */
export type ListingPurpose = { kind: "listing"; submissionId: string; version: number };

/** The name of the purchase, on receipts and at the payment provider. */
export const listingProduct = "Job listing";

/** We aim to decide within this many hours. */
export const decidedWithinHours = 48;

/** The text of a listing as it was typed, without the company, which the membership decides. */
export type DraftFields = Omit<JobValues, "company">;

export const messages = {
  notFound: "Listing not found",
  changedMeanwhile:
    "Someone else changed this listing after you opened it. Copy what you need, then reload.",
  notEditable: "This listing can't be changed now. Open it again to see why.",
  notPayable: "This listing can't be paid for now. Open it again to see why.",
  payingOver: "The time to pay has ended. Take the listing back and send it again.",
  paidBefore:
    "An earlier payment for this listing isn't settled yet. We publish the listing as soon as it is.",
  notWaiting: "This listing is no longer waiting.",
  notOnBoard: "This listing is not on the board.",
  cannotSend:
    "The listing is off the board. Your change stays here, and you can send it once the listing is back.",
  nothingChanged:
    "Nothing differs from the published listing yet. Change something first, or discard this change.",
  changedSince: "This listing has changed since you opened it. Read it again.",
  listingChanged:
    "The published listing is no longer as it was when this change was written. Compare it with the listing as it is now.",
  listingDeleted:
    "The published listing was deleted, or is no longer the company's. If you return this change, the company can send it as a new listing.",
  tooManyWaiting: `Your company has ${maxWaiting} listings waiting. You can send this one once we have decided about another.`,
  tooManyDrafts: `Your company has ${maxDrafts} drafts. Discard one first.`,
} as const;

/** Limits and messages of handing a review back; safe for the browser. */

import type { HandBackReason } from "../../reviews/hand-back-reasons.ts";

/** The reasons as admins read them. */
export const reasonLabels: Record<HandBackReason, string> = {
  ill: "The reviewer is ill",
  knows_author: "The reviewer knows the author",
  outside_field: "It's outside the reviewer's field",
};

/** The longest note to the admins, in UTF-16 units. */
export const maxNoteLength = 500;

export const handBackMessages = {
  reasonMissing: "Please choose a reason",
  noteTooLong: `Please keep this within ${maxNoteLength} characters`,
  draftSettled: "This draft was already used or discarded.",
  tooManyRemarks: (max: number) =>
    `Together you'd have more than ${max} remarks. Delete some of yours first.`,
  feedbackTooLong: "Your summary and the earlier one are too long together. Shorten yours first.",
} as const;

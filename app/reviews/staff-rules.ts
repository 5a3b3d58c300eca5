/** The limits and messages of the staff's side of reviews; safe for the browser. */
import { formatIndianNumber } from "../platform/numbers.ts";
import { truncateToCharacters } from "../platform/text/cut-text.ts";

/** The number of reviews that one command accepts. */
export const largestSelection = 200;

export const feedbackLimit = 50_000;
export const noteLimit = 2_000;

/** Milliseconds that the submitted review is shown before the dashboard. */
export const submittedPauseMs = 1_500;

/** The titles of failures in the workspace. */
export const failedTitles = {
  submit: "Failed to submit review",
  removeImage: "Failed to remove image",
  removeFile: "Failed to remove file",
};

export const messages = {
  noReviewer: "Please select a reviewer first",
  noSelection: "Please select at least one review to assign",
  selectionTooLarge: `Please select at most ${largestSelection} reviews at a time`,
  allAssigned: "All selected reviews are already assigned",
  reviewerUnavailable:
    "This reviewer cannot be assigned reviews any more. Please select another one.",
  alreadyTheirs: "Review is already assigned to this reviewer",
  noneAssigned: "None of these reviews is assigned any more.",
  changedMeanwhile: "Somebody else has changed this review since you opened it. Please reload.",
  imageChanged: "Somebody else has changed this image since you opened it. Please reload.",
  notCompleted: "Only a completed review can be edited.",
  imageUrlMissing: "Image URL is required",
  alreadySubmitted: "This review has already been submitted.",
  notOpen: "This review is not open for you any more.",
  draftChanged: "This draft was changed in another tab or window. Choose which text to keep.",
  notSaved: "Some remarks or answers are not saved yet. Please look at those that say so.",
  feedbackMissing: "Please write your feedback first",
  feedbackTooLong: `Please keep the feedback within ${formatIndianNumber(feedbackLimit)} characters`,
  noteTooLong: `Please keep this within ${formatIndianNumber(noteLimit)} characters`,
} as const;

/** The length of a feedback preview in a list. */
export const previewLength = 50;

/** Formats a preview: "Lead with the outcome of each project, then say ho…"; "No feedback" without any. */
export function formatFeedbackPreview(feedback: string | null): string {
  const text = (feedback ?? "").replace(/\s+/g, " ").trim();
  if (text === "") return "No feedback";
  const beginning = truncateToCharacters(text, previewLength);
  return beginning === text ? text : `${beginning}…`;
}

/** 1 → "1 review", 3 → "3 reviews" */
export function formatReviewCount(count: number): string {
  return count === 1 ? "1 review" : `${count} reviews`;
}

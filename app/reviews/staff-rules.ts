/** The limits and messages of the staff's side of reviews; safe for the browser. */
import { formatIndianNumber } from "../platform/numbers.ts";
import { countNoun } from "../platform/count-noun.ts";
import { truncateToCharacters } from "../platform/text/cut-text.ts";

/** The limit of reviews for one command. */
export const maxSelection = 200;

export const feedbackLimit = 50_000;
export const noteLimit = 2_000;

/** Milliseconds between submitting a review and the redirect to the dashboard. */
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
  nothingSelected: "Please select at least one review",
  selectionTooLarge: `Please select at most ${maxSelection} reviews at a time`,
  allAssigned: "All selected reviews are already assigned",
  reviewerUnavailable:
    "This reviewer can no longer be assigned reviews. Please select another one.",
  nobodyAvailable:
    "No reviewer is available: each one is away, has enough for today, or bought these reviews or handed them back. You can still choose one by hand.",
  alreadyTheirs: "Review is already assigned to this reviewer",
  noneAssigned: "These reviews are no longer assigned.",
  noneOpen: "These reviews are no longer open.",
  allPrioritised: "All selected reviews already have this priority",
  priorityChanged: "The priority was changed again after that, so it stays as it is now.",
  changedMeanwhile: "Someone else changed this review after you opened it. Please reload.",
  imageChanged: "Someone else changed this image after you opened it. Please reload.",
  notCompleted: "Only completed reviews can be edited.",
  imageUrlMissing: "Image URL is required",
  alreadySubmitted: "This review has already been submitted.",
  notOpen: "This review is no longer open to you.",
  draftChanged: "This draft was changed in another tab or window. Choose which text to keep.",
  notSaved: "Some remarks or answers aren't saved yet. Please check the ones that say so.",
  feedbackMissing: "Please write your feedback first",
  feedbackTooLong: `Please keep the feedback within ${formatIndianNumber(feedbackLimit)} characters`,
  noteTooLong: `Please keep this within ${formatIndianNumber(noteLimit)} characters`,
} as const;

export const previewLength = 50;

/** Formats a preview: "Lead with the outcome of each project, then say ho…"; "No feedback" without any. */
export function formatFeedbackPreview(feedback: string | null): string {
  const text = (feedback ?? "").replace(/\s+/g, " ").trim();
  if (text === "") return "No feedback";
  const beginning = truncateToCharacters(text, previewLength);
  return beginning === text ? text : `${beginning}…`;
}

/** Formats a count: 1 → "1 review", 3 → "3 reviews". */
export function formatReviewCount(count: number): string {
  return countNoun(count, "review");
}

/** The reasons for handing a review back, as reviewers choose them; safe for the browser. */
export const handBackReasons = {
  ill: "I'm ill",
  knows_author: "I know the author",
  outside_field: "It's outside my field",
} as const;

export type HandBackReason = keyof typeof handBackReasons;

/** The longest reason of a decision, in UTF-16 units. */
export const maxReasonLength = 500;

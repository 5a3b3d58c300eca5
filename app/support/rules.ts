/** What becomes of a message to us; pure, safe for the browser. */

/** Nobody has answered yet, an answer was mailed, nothing is left to do. */
export const messageStates = ["open", "answered", "closed"] as const;
export type MessageState = (typeof messageStates)[number];

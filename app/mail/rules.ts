/** The states of an email; pure, safe for the browser. */

/** Queued for the first attempt, retrying, given up, accepted by a mail server, discarded by an admin. */
export const mailStates = ["waiting", "failing", "given-up", "sent", "dropped"] as const;
export type MailState = (typeof mailStates)[number];

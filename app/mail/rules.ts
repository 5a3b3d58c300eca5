/** The states of a mail; pure, safe for the browser. */

/** Waiting for its first try, failing so far, not tried again, accepted by a mail server, called off. */
export const mailStates = ["waiting", "failing", "given-up", "sent", "dropped"] as const;
export type MailState = (typeof mailStates)[number];

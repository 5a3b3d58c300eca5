/** The states of an email, and the addresses that get none; pure, safe for the browser. */

/** Queued for the first attempt, retrying, given up, accepted by a mail server, discarded by an admin. */
export const mailStates = ["waiting", "failing", "given-up", "sent", "dropped"] as const;
export type MailState = (typeof mailStates)[number];

/** Replaces the address of a closed account. Nothing is delivered to it: ".invalid" is reserved. */
export const closedDomain = "@closed.invalid";

/** Checks whether an address belongs to a closed account. */
export function isClosedAddress(email: string): boolean {
  return email.endsWith(closedDomain);
}

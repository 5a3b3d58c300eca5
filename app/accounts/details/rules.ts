/** The deadlines and messages of a changed email address; safe for the browser. */
import { day, hour } from "../../platform/clock.ts";

/** The new address has to confirm a change within this time. */
export const confirmWithin = 24 * hour;

/** The old address can take a change back for this long. */
export const reversibleFor = 7 * day;

export const addressMessages = {
  same: "This is your address already.",
  invalidLink: "This link no longer works. It expired, or a newer one replaced it.",
  taken: "This address has an account of its own by now. Please contact us.",
  needsProof: "Use your authenticator app or your passkey to continue.",
} as const;

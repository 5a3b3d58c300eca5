/** Rules for job alerts: frequencies, states and limits; safe for the browser. */
import { hour } from "../../platform/clock.ts";

export const alertFrequencies = ["daily", "weekly"] as const;
export type AlertFrequency = (typeof alertFrequencies)[number];

/** "pending" until a visitor opens the link that we email. */
export const alertStates = ["pending", "active", "stopped"] as const;

/** The maximum number of alerts that an email address may have, without stopped ones. */
export const maxAlertsPerAddress = 10;
/** Time to confirm a visitor's alert. */
export const confirmAlertWithin = 48 * hour;
/** An alert stops after this many emails in a row that the mail server rejected. */
export const maxBounces = 3;

/** Rules for job alerts: frequencies, states, limits and windows; safe for the browser. */
import { day, getDayStart, hour, minute, toIsoDay, toZonedDate } from "../../platform/clock.ts";

export const alertFrequencies = ["daily", "weekly"] as const;
export type AlertFrequency = (typeof alertFrequencies)[number];

export const frequencyLabels: Record<AlertFrequency, string> = {
  daily: "Every day",
  weekly: "Every Monday",
};

/** The frequencies in a sentence: "You get this alert every day." */
export const frequencyPhrases: Record<AlertFrequency, string> = {
  daily: "every day",
  weekly: "every Monday",
};

/** "pending" until a visitor opens the link that we email. */
export const alertStates = ["pending", "active", "stopped"] as const;

/** The maximum number of alerts that an email address may have, without stopped ones. */
export const maxAlertsPerAddress = 10;
/** The maximum length of an alert's filters in the address. The index of alerts takes no longer ones. */
export const maxAlertQueryLength = 1_500;
/** Time to confirm a visitor's alert. */
export const confirmAlertWithin = 48 * hour;
/** A stopped alert is deleted after this, with its address. */
export const stoppedAlertRetention = 30 * day;
/** An alert stops after this many emails in a row that the mail server rejected. */
export const maxBounces = 3;
/** The jobs of an alert that one email lists. The others are on the board. */
export const jobsPerAlert = 20;

/** Digests are due at 08:00 in India. */
const dueAfterMidnight = 8 * hour;

/**
 * The window of a digest ends this long before it is due. A listing gets its time of publication before its transaction
 * commits, so a later end could skip listings that nobody can read yet.
 */
export const commitMargin = 5 * minute;

/**
 * Returns the end of the latest window that is due: today, or on the last Monday. After downtime, only the latest one
 * counts, and it starts where the alert's last window ended.
 */
export function getWindowEnd(frequency: AlertFrequency, moment: Date): Date {
  const today = getDayStart(toIsoDay(moment)).getTime() + dueAfterMidnight;
  const latest = today <= moment.getTime() ? today : today - day;
  const sinceMonday = (toZonedDate(new Date(latest)).getUTCDay() + 6) % 7;
  const due = frequency === "daily" ? latest : latest - sinceMonday * day;
  return new Date(due - commitMargin);
}

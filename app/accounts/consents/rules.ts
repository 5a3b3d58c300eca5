/** Consents: their purposes, and how they were given; safe for the browser. */
import { formatLongDate, getDayStart } from "../../platform/clock.ts";

/** The purposes that people can withdraw on their profile. The account needs the others. */
export const withdrawablePurposes = ["mails", "alerts", "share", "sample", "contact"] as const;
export type WithdrawablePurpose = (typeof withdrawablePurposes)[number];

/** Every purpose that people can consent to. "alerts" is given by asking for a job alert. "contact" is given with an emailed link. */
export const purposeLabels = {
  account: "Privacy Policy",
  adult: "You are 18 or older",
  terms: "Terms and Conditions",
  mails: "Optional emails",
  alerts: "Job alerts",
  contact: "Being a point of contact",
  share: "Links to your reviews",
  sample: "Your review as an anonymous sample",
} as const;
export type Purpose = keyof typeof purposeLabels;

/** The consents without which there is no account. The box of the sign-up form gives all of them. */
export const neededPurposes = ["adult", "terms", "account"] as const;

/** The way a consent was given, after "Given on Nov 26, 2026". */
export const givenLabels = {
  "sign-up": "when you signed up",
  profile: "on your profile",
  share: "when you created a link",
  notice: "when we showed you the notice",
  check: "when you told us that a job is open",
  alert: "when you asked for job alerts",
} as const;
export type HowGiven = keyof typeof givenLabels;

/** Formats a version for people: "November 26, 2026" also for the second text of that day. Another text stays as it is. */
export function formatNoticeVersion(version: string): string {
  const date = getDayStart(version.replace(/-\d$/, ""));
  return Number.isNaN(date.getTime()) ? version : formatLongDate(date);
}

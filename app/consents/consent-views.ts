/** Consents in words; safe for the browser. */
import {
  formatNoticeVersion,
  givenLabels,
  neededPurposes,
  type Purpose,
  purposeLabels,
} from "../accounts/consents/rules.ts";
import { formatShortDate } from "../platform/clock.ts";
import type { OwnConsents } from "./own-consents.server.ts";

/** One consent on the profile. */
export type ConsentView = {
  purpose: Purpose;
  label: string;
  /** The use that it allows. */
  about: string;
  badge: "needed" | "on" | "off";
  /** Says how and when it was given or withdrawn. */
  state: string;
  button: "withdraw" | "allow" | null;
};

const uses: Record<Purpose, string> = {
  account: "We store your account and what you do with it, as the privacy notice says.",
  adult: "The service is for adults, so the account needs this statement.",
  terms: "Our terms apply to the account, to reviews and to the job board.",
  mails:
    "Emails about your reviews and saved jobs. We always send emails about payments and account security.",
  alerts: "Emails with the new jobs of your filters. Withdrawing stops all of your alerts.",
  share:
    "Anyone with a link that you create can see the review behind it. Withdrawing ends all links.",
  contact:
    "We show your name and how to reach you with a job. Withdrawing removes them from all listings, for good.",
  sample: "We may show one of your reviews to others, without your name and contact details.",
};

/** Describes each consent that the profile shows, in order. */
export function toConsentViews(own: OwnConsents): ConsentView[] {
  return [
    ...neededPurposes.map((purpose) => describeNeeded(purpose, own)),
    describeMails(own),
    describeAlerts(own),
    describeShare(own),
    describeSample(own),
    ...describeBeingContact(own),
  ];
}

function describeNeeded(
  purpose: (typeof neededPurposes)[number],
  { latest }: OwnConsents,
): ConsentView {
  const state = describeGiven(latest[purpose]) ?? "Not accepted yet.";
  return { ...describeUse(purpose), badge: "needed", state, button: null };
}

function describeMails({ latest: { mails }, hasMails }: OwnConsents): ConsentView {
  if (hasMails) {
    const state = describeGiven(mails) ?? (mails ? "On." : "On since you joined.");
    return { ...describeUse("mails"), badge: "on", state, button: "withdraw" };
  }
  const state = describeWithdrawn(mails) ?? "Off.";
  return { ...describeUse("mails"), badge: "off", state, button: "allow" };
}

function describeAlerts({ latest: { alerts }, openAlerts }: OwnConsents): ConsentView {
  const open = openAlerts === 1 ? "1 alert is on." : `${openAlerts || "No"} alerts are on.`;
  return describeByUse("alerts", alerts, openAlerts, {
    open,
    hint: "You allow it when you ask for an alert.",
  });
}

function describeShare({ latest: { share }, openLinks }: OwnConsents): ConsentView {
  const open = openLinks === 1 ? "1 link is open." : `${openLinks || "No"} links are open.`;
  return describeByUse("share", share, openLinks, {
    open,
    hint: "You allow it when you create a link.",
  });
}

/** Describes a consent that people give by using something. It is on as long as something is in use. */
function describeByUse(
  purpose: "alerts" | "share",
  consent: Consent | undefined,
  inUse: number,
  { open, hint }: { open: string; hint: string },
): ConsentView {
  const sentence = describeGiven(consent);
  if (sentence === null && inUse === 0) {
    const state = `${describeWithdrawn(consent) ?? "Not used yet."} ${hint}`;
    return { ...describeUse(purpose), badge: "off", state, button: null };
  }
  const state = [sentence, open].filter(Boolean).join(" ");
  return { ...describeUse(purpose), badge: "on", state, button: "withdraw" };
}

function describeSample({ latest: { sample } }: OwnConsents): ConsentView {
  const sentence = describeGiven(sample);
  return sentence
    ? { ...describeUse("sample"), badge: "on", state: sentence, button: "withdraw" }
    : {
        ...describeUse("sample"),
        badge: "off",
        state: describeWithdrawn(sample) ?? "You have not allowed it.",
        button: "allow",
      };
}

/** Shown only to contacts of listings. */
function describeBeingContact({ contact: { consent, listings } }: OwnConsents): ConsentView[] {
  if (consent === null && listings === 0) return [];
  const sentence = describeGiven(consent ?? undefined) ?? "You haven't confirmed it.";
  const named = listings === 1 ? "1 listing names you." : `${listings || "No"} listings name you.`;
  return [
    { ...describeUse("contact"), badge: "on", state: `${sentence} ${named}`, button: "withdraw" },
  ];
}

function describeUse(purpose: Purpose) {
  return { purpose, label: purposeLabels[purpose], about: uses[purpose] };
}

type Consent = OwnConsents["history"][number];

/** @returns null if it is not given, or withdrawn */
function describeGiven(consent: Consent | undefined): string | null {
  return consent && !consent.withdrawnAt ? `Given ${formatGiven(consent)}.` : null;
}

function describeWithdrawn(consent: Consent | undefined): string | null {
  return consent?.withdrawnAt ? `Withdrawn on ${formatShortDate(consent.withdrawnAt)}.` : null;
}

export function formatHistory(consent: Consent): string {
  const withdrawn = describeWithdrawn(consent);
  const sentence = `${purposeLabels[consent.purpose]}: given ${formatGiven(consent)}.`;
  return withdrawn ? `${sentence} ${withdrawn}` : sentence;
}

function formatGiven({ givenAt, how, noticeVersion }: Consent): string {
  return `on ${formatShortDate(givenAt)}, ${givenLabels[how]}. Privacy notice of ${formatNoticeVersion(noticeVersion)}`;
}

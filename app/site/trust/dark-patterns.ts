/**
 * Our check against the 13 dark patterns of the Guidelines for Prevention and Regulation of Dark Patterns, 2023. Each line
 * says what the product does, so change both together; `trust.test.ts` tests what a program can see.
 */
import type { OwnPath } from "../../platform/own-path.ts";

/** A pattern, how the product avoids it, and a page that shows it. */
type DarkPattern = { name: string; answer: string; seenAt: { path: OwnPath; label: string } };

const services = { path: "/services", label: "Review services" } as const;
const board = { path: "/jobs", label: "Jobs" } as const;

export const darkPatterns: readonly DarkPattern[] = [
  {
    name: "False urgency",
    answer: "No countdowns, no “only 2 left”, no price that ends today. A due time is a date.",
    seenAt: services,
  },
  {
    name: "Basket sneaking",
    answer: "You pay for the one thing that you chose. Nothing is added to it.",
    seenAt: services,
  },
  {
    name: "Confirm shaming",
    answer: "A “no” is a plain button here, such as Cancel or Withdraw.",
    seenAt: { path: "/profile/data", label: "Your data and consents" },
  },
  {
    name: "Forced action",
    answer: "The job board needs no account. A review needs one, and nothing else.",
    seenAt: board,
  },
  {
    name: "Subscription trap",
    answer: "A review is one payment. A job board subscription ends with one button.",
    seenAt: { path: "/subscription", label: "Subscription" },
  },
  {
    name: "Interface interference",
    answer: "Allowing and withdrawing are the same button in the same place.",
    seenAt: { path: "/profile/data", label: "Your data and consents" },
  },
  {
    name: "Bait and switch",
    answer: "You get the review that you chose, at the price that its page showed.",
    seenAt: services,
  },
  {
    name: "Drip pricing",
    answer: "The first price that you see is the price that you pay, with tax. There are no fees.",
    seenAt: services,
  },
  {
    name: "Disguised advertisement",
    answer: "We show no ads. Nobody can pay for a higher place on the board.",
    seenAt: board,
  },
  {
    name: "Nagging",
    answer: "We ask once. Optional emails stop with one press.",
    seenAt: { path: "/profile/mails", label: "Email preferences" },
  },
  {
    name: "Trick wording",
    answer: "A box says what ticking it does, and none is ticked for you.",
    seenAt: { path: "/signup", label: "Sign up" },
  },
  {
    name: "Hidden renewals",
    answer: "No trial turns into a payment. We store no card and charge nothing twice.",
    seenAt: { path: "/refund", label: "Refund policy" },
  },
  {
    name: "Rogue malware",
    answer: "Our pages run only our own code. No pop-ups, no downloads that you didn't ask for.",
    seenAt: { path: "/privacy", label: "Privacy policy" },
  },
];

/** The scoring of reviews: six criteria for each part, on five levels; safe for the browser. */
import { type ServiceType, services } from "./rules.ts";

/** A reviewed part; a combined review has both. */
export type Part = "resume" | "portfolio";

export const criteria = {
  first_impression: {
    part: "resume",
    label: "First impression",
    levels: [
      "After ten seconds a stranger cannot say what you do.",
      "Your trade is clear; your level and what sets you apart are not.",
      "Trade and level are clear within ten seconds, and nothing puts off.",
      "Trade, level and one strong point are seen before anything is read.",
      "After ten seconds a stranger could introduce you in one sentence.",
    ],
  },
  story: {
    part: "resume",
    label: "Story and order",
    levels: [
      "The facts are in no order that a reader could follow.",
      "There is an order, but the best of it comes last or is buried.",
      "Newest first, with dates; gaps and changes are left to guess.",
      "The order argues for you, and each step follows from the one before.",
      "Read from the top, it makes the next job the obvious one.",
    ],
  },
  impact: {
    part: "resume",
    label: "Evidence of impact",
    levels: [
      "Duties only: nothing says what changed because you were there.",
      "A result here and there, without a number or a comparison.",
      "About half of the points name a result that could be checked.",
      "Most points have a result, its size and your part in it.",
      "Each claim has its number, its base and its time, and none is padded.",
    ],
  },
  layout: {
    part: "resume",
    label: "Craft of type and layout",
    levels: [
      "Hard to read: cramped, uneven, or set in too many styles.",
      "Readable, with slips that a designer should not let pass.",
      "Clean and even, and like many others.",
      "Clear hierarchy and rhythm on every page, on screen and printed.",
      "The page itself is proof of your craft.",
    ],
  },
  fit: {
    part: "resume",
    label: "Fit for the role",
    levels: [
      "Could be sent to any job, and so speaks to none.",
      "Names the role, and shows little that it asks for.",
      "Shows about half of what the role asks for.",
      "What the role asks for stands first, with proof.",
      "Reads as if it were written for this one team.",
    ],
  },
  machine_reading: {
    part: "resume",
    label: "Readable by software",
    levels: [
      "Software finds no text, or reads it in the wrong order.",
      "Text is found, but contacts, dates or employers get lost.",
      "Text is read in order, but some of it is in a picture.",
      "Everything is read, under headings that software knows.",
      "Everything is read, links work, and the file is named after you.",
    ],
  },
  choice_of_work: {
    part: "portfolio",
    label: "Choice of work",
    levels: [
      "The work shown is not the work you want to be hired for.",
      "Good work is given no more room than exercises.",
      "Two or three fitting projects, and some that could go.",
      "Every project earns its place, the strongest first.",
      "A small set that shows range and a point of view.",
    ],
  },
  case_studies: {
    part: "portfolio",
    label: "Case study clarity",
    levels: [
      "Screens without a story; it's unclear what was solved.",
      "The process could be anyone's.",
      "Problem, process and result are there, but hard to find.",
      "Problem, decisions and result are clear within two minutes.",
      "Engaging from the first line to the result, with nothing extra.",
    ],
  },
  reasoning: {
    part: "portfolio",
    label: "Problem and reasoning",
    levels: [
      "Solutions are shown without the problem they solve.",
      "Problems are named, decisions are not explained.",
      "The main decisions have reasons, but alternatives are missing.",
      "Choices are weighed against evidence, with their trade-offs.",
      "We see how you think: evidence, doubts, changes of course, outcomes.",
    ],
  },
  visual_craft: {
    part: "portfolio",
    label: "Visual and interaction craft",
    levels: [
      "Mistakes in type, colour or spacing distract from the work.",
      "Tidy, but states, contrast or details are unresolved.",
      "Solid and consistent, but close to a UI kit.",
      "Refined and usable, down to states and small screens.",
      "Distinctive, and so well made that you want to try it.",
    ],
  },
  own_part: {
    part: "portfolio",
    label: "Your role is clear",
    levels: [
      "It's unclear what you did and what others did.",
      "A role is named, but the work is described as “we”.",
      "Your part is clear in some of the projects.",
      "Each project says what was yours, with whom, and for how long.",
      "It's clear where you led, where you followed and what you learned.",
    ],
  },
  way_through: {
    part: "portfolio",
    label: "Navigation",
    levels: [
      "Links fail, or lead to a password prompt.",
      "Work is found, but contacts or the next project are not.",
      "Everything can be reached, some of it in many clicks.",
      "The best work is two clicks away, and your contacts one.",
      "Both a quick scan and a thorough read are effortless.",
    ],
  },
} as const satisfies Record<string, { part: Part; label: string; levels: Levels }>;

/** The meaning of each level from 1 to 5, as descriptions to compare work with. */
type Levels = readonly [string, string, string, string, string];

export type Criterion = keyof typeof criteria;

/** The levels' names for customers, from 1 to 5. */
export const levelNames = [
  "Works against you",
  "Falls short",
  "Meets expectations",
  "Strong",
  "Stands out",
] as const;

/** The levels' names for reviewers, who read the first one about a candidate. */
export const reviewerLevelNames = ["Hurts the candidate", ...levelNames.slice(1)] as const;

export const partNames: Record<Part, string> = { resume: "Resume", portfolio: "Portfolio" };

/** Scores from 1 to 5 by criterion; criteria without a score are missing. */
export type Scores = Partial<Record<Criterion, number>>;

export function isCriterion(text: unknown): text is Criterion {
  return typeof text === "string" && Object.hasOwn(criteria, text);
}

/** Lists the parts of a kind of review, the resume first. */
export function listReviewParts(type: ServiceType): Part[] {
  const { needs } = services[type];
  return (["resume", "portfolio"] as const).filter((part) => needs[part]);
}

/** Lists the criteria of a kind of review in order. */
export function listReviewCriteria(type: ServiceType): Criterion[] {
  const parts = listReviewParts(type);
  return (Object.keys(criteria) as Criterion[]).filter((key) => parts.includes(criteria[key].part));
}

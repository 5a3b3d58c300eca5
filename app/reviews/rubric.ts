/** What a review is scored by: six criteria for each part of it; safe for the browser. */
import { type ServiceType, services } from "./rules.ts";

/** A part of what is reviewed; a combined review has both. */
export type Part = "resume" | "portfolio";

export const criteria = {
  first_impression: { part: "resume", label: "First impression" },
  story: { part: "resume", label: "Story and order" },
  impact: { part: "resume", label: "Evidence of impact" },
  layout: { part: "resume", label: "Craft of type and layout" },
  fit: { part: "resume", label: "Fit to the target" },
  machine_reading: { part: "resume", label: "Machine reading" },
  choice_of_work: { part: "portfolio", label: "Choice of work" },
  case_studies: { part: "portfolio", label: "Case study clarity" },
  reasoning: { part: "portfolio", label: "Problem and reasoning" },
  visual_craft: { part: "portfolio", label: "Craft of visual and interaction" },
  own_part: { part: "portfolio", label: "Own part made clear" },
  way_through: { part: "portfolio", label: "Way through" },
} as const satisfies Record<string, { part: Part; label: string }>;

export type Criterion = keyof typeof criteria;

export function isCriterion(text: unknown): text is Criterion {
  return typeof text === "string" && Object.hasOwn(criteria, text);
}

/** The parts of a kind of review, the resume first. */
export function partsOf(type: ServiceType): Part[] {
  const { needs } = services[type];
  return (["resume", "portfolio"] as const).filter((part) => needs[part]);
}

/** The criteria of a kind of review, in their order. */
export function criteriaOf(type: ServiceType): Criterion[] {
  const parts = partsOf(type);
  return (Object.keys(criteria) as Criterion[]).filter((key) => parts.includes(criteria[key].part));
}

import { disciplines, skills, workModes } from "../details.ts";
import { findLabel } from "../job-facts.server.ts";
import { formatExperience, formatPay } from "../pay.ts";
import { formatPlaceName } from "../places/find-places.server.ts";
import { anywhere } from "../places/rules.ts";
import { getQuotedText, type JobTexts, type Proposal } from "./proposals.ts";

/** A proposal as the screen shows it. */
export type ShownProposal = {
  key: string;
  /** The name of the detail, such as "Pay". */
  name: string;
  /** The proposed value, such as "₹12–18 LPA". */
  value: string;
  /** The name of the quoted text, such as "Compensation". */
  source: string;
  /** The quote, and the words before and after it. */
  before: string;
  quote: string;
  after: string;
};

/** Formats a proposal with the surroundings of its quote. */
export function formatProposal(texts: JobTexts, { key, values, quote }: Proposal): ShownProposal {
  const text = texts[quote.from] ?? "";
  return {
    key,
    ...formatValues(values),
    source: sourceNames[quote.from],
    before: truncateStart(text.slice(0, quote.start)),
    quote: getQuotedText(texts, quote),
    after: truncateEnd(text.slice(quote.end)),
  };
}

const sourceNames: Record<keyof JobTexts, string> = {
  title: "Title",
  location: "Location",
  compensation: "Compensation",
  description: "Summary",
  largeDescription: "Description",
};

function formatValues(values: Proposal["values"]): { name: string; value: string } {
  const { discipline, workMode, placeIds, applicantPlaceIds, skillIds } = values;
  if (discipline) return { name: "Discipline", value: findLabel(disciplines, discipline) };
  if (workMode) return { name: "Work mode", value: findLabel(workModes, workMode) };
  if (placeIds) return { name: "Place", value: placeIds.map(formatPlaceName).join("; ") };
  if (applicantPlaceIds)
    return { name: "Applicants from", value: applicantPlaceIds.map(formatHome).join("; ") };
  if (skillIds) return { name: "Skill", value: skillIds.map(findSkillLabel).join(", ") };
  const { payMin = null, payMax = null, payVariable = null, payPeriod } = values;
  if (payPeriod) {
    const { payCurrency = "INR" } = values;
    const pay = formatPay({ payMin, payMax, payVariable, payPeriod, payCurrency });
    return { name: "Pay", value: pay ?? "" };
  }
  const { experienceMin = null, experienceMax = null } = values;
  return { name: "Experience", value: formatExperience({ experienceMin, experienceMax }) ?? "" };
}

const findSkillLabel = (id: number) => skills.find((skill) => skill.id === id)!.label;
const formatHome = (id: number) => (id === anywhere ? "Anywhere" : formatPlaceName(id));

/** The characters shown on each side of a quote. */
const context = 90;

/** Keeps the last words of a text. */
function truncateStart(text: string): string {
  if (text.length <= context) return text;
  return `…${text.slice(-context).replace(/^\S*\s/, "")}`;
}

/** Keeps the first words of a text. */
function truncateEnd(text: string): string {
  if (text.length <= context) return text;
  return `${text.slice(0, context).replace(/\s\S*$/, "")}…`;
}

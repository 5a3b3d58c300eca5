/** Finds years of experience in a title or in the text about compensation. */
import { type JobDetails } from "../details.ts";
import { detailLimits } from "../detail-limits.ts";
import type { Found } from "./proposals.ts";

type Experience = Pick<JobDetails, "experienceMin" | "experienceMax">;

const lead = String.raw`(?<lead>\b(?:min(?:imum)?\.?|at least|more than|up\s?to|max(?:imum)?\.?))?\s*(?:of\s+)?`;
const dash = String.raw`\s*(?:[-‐‑‒–—−]|to)\s*`;
const numbers = String.raw`(?<![\d.,/-])(?<low>\d{1,2})(?:${dash}(?<high>\d{1,2}))?\s*(?<plus>\+)?`;
const withUnit = new RegExp(
  String.raw`${lead}${numbers}\s*(?:years?|yrs?|yoe)\b\.?(?<after>\s*\+|\s+(?:and above|or more))?`,
  "gi",
);
const withName = new RegExp(
  String.raw`\bexp(?:erience)?\.?\s*:?\s*${numbers}(?!\s*(?:[\d.,%+-]|\p{L}))`,
  "giu",
);

/**
 * Finds experience such as "2-4 yrs", "3+ years" or "min 2 years". "5 years" alone can be a minimum or an exact
 * number, so it gives nothing. So do two different statements, and the length of a contract.
 */
export function findExperience(text: string): Found<Experience> | null {
  const found = [...text.matchAll(withUnit), ...text.matchAll(withName)].flatMap((match) => {
    const value = toExperience(match.groups!);
    const [start, end] = [match.index, match.index + match[0].length];
    return value && isAboutExperience(text, start, end) ? [{ value, start, end }] : [];
  });
  const [first] = found;
  const isClear = found.every(
    ({ value }) => JSON.stringify(value) === JSON.stringify(first?.value),
  );
  if (!first || !isClear) return null;
  const spaces = /^\s*/.exec(text.slice(first.start))![0].length;
  return { ...first, start: first.start + spaces };
}

function toExperience({
  lead: word = "",
  low,
  high,
  plus,
  after,
}: Record<string, string | undefined>): Experience | null {
  const [from, to] = [Number(low), high === undefined ? null : Number(high)];
  if (Math.max(from, to ?? 0) > detailLimits.experience) return null;
  if (to !== null)
    return from <= to && !plus && !after ? { experienceMin: from, experienceMax: to } : null;
  if (/^(?:up|max)/i.test(word)) return { experienceMin: null, experienceMax: from };
  return word || plus || after ? { experienceMin: from, experienceMax: null } : null;
}

const otherAfter =
  /^\W*(?:old|of age|contract|bond|fixed|agreement|commitment|fellowship|program\w*|course|degree|lock|vest\w*|cliff|notice|warranty|apprentice\w*|term)\b/i;
const otherBefore =
  /\b(?:age[ds]?|over|for|after|within|in|every|next|last|contract|bond)\s*(?:of|:)?\s*$/i;

function isAboutExperience(text: string, start: number, end: number): boolean {
  const after = text.slice(end);
  if (/^\W*(?:of\s+)?(?:\w+\s+)?exp/i.test(after)) return true;
  return !otherAfter.test(after) && !otherBefore.test(text.slice(0, start));
}

/** Finds years of experience in a title or in the text about compensation. */
import { type JobDetails } from "../details.ts";
import { detailLimits } from "../detail-limits.ts";
import { createWordCheck, type Limit, readBeside } from "./limits.ts";
import type { Found } from "./proposals.ts";

type Experience = Pick<JobDetails, "experienceMin" | "experienceMax">;

const dash = String.raw`\s*(?:[-‐‑‒–—−]|to)\s*`;
const numbers = String.raw`(?<![\d.,/-])(?:(?<=\bbetween\s)(?<first>\d{1,2})\s+and\s+)?(?<low>\d{1,2})(?:${dash}(?<high>\d{1,2}))?\s*(?<plus>\+)?`;
const withUnit = new RegExp(
  String.raw`${numbers}\s*(?:years?|yrs?|yoe)\b\.?(?<after>\s*\+)?`,
  "gi",
);
const withName = new RegExp(
  String.raw`\bexp(?:erience)?\.?\s*:?\s*${numbers}(?!\s*(?:[\d.,%+-]|\p{L}))`,
  "giu",
);

const isKnownBefore = createWordCheck(
  "exp experience experienced with have having of relevant total work required requirement needs need needed between lpa pa pm for and",
);
const besideWords = {
  /** In titles, the name of the role is beside the number. */
  before: (word: string) => isKnownBefore(word) || /^\p{Lu}/u.test(word),
  after: createWordCheck(
    "exp experience experienced of relevant total work working required needed professional industry design ux ui product graphic visual",
  ),
  ends: /\b(?:in (?:ux|ui|design|product|graphic|a similar)|as an?|with)\b/i,
};

/**
 * Finds experience such as "2-4 yrs", "3+ years" or "not more than 2 years". "5 years" alone can be a minimum or an
 * exact number, so it gives nothing. So do two different statements, unknown words beside the number, and the length
 * of a contract.
 */
export function findExperience(text: string): Found<Experience> | null {
  const matches = [...text.matchAll(withUnit), ...text.matchAll(withName)].flatMap((match) => {
    const [start, end] = [match.index, match.index + match[0].length];
    return isAboutExperience(text, start, end) ? [readExperience(text, match)] : [];
  });
  const [first] = matches;
  const isClear = matches.every(
    (one) => one && JSON.stringify(one.value) === JSON.stringify(first?.value),
  );
  return isClear && first ? first : null;
}

function readExperience(text: string, match: RegExpExecArray): Found<Experience> | null {
  const [start, end] = [match.index, match.index + match[0].length];
  const beside = readBeside(text, { start, end }, besideWords);
  // "min 2 - max 5 years" is one range.
  const isSecondHalf = /\d\s*[-–]\s*(?:max(?:imum)?\.?\s*)?$/i.test(text.slice(0, start));
  if (!beside.isClear || isSecondHalf) return null;
  const value = toExperience(match.groups!, beside.limit);
  return value && { value, start: beside.limit?.start ?? start, end: beside.limit?.end ?? end };
}

function toExperience(
  { first, low, high, plus, after }: Record<string, string | undefined>,
  limit: Limit | null,
): Experience | null {
  const [from, to] = first === undefined ? [low, high] : [first, low];
  const [experienceMin, experienceMax] = [Number(from), to === undefined ? null : Number(to)];
  const isOpen = Boolean(plus ?? after);
  if (Math.max(experienceMin, experienceMax ?? 0) > detailLimits.experience) return null;
  if (experienceMax !== null)
    return experienceMin <= experienceMax && !isOpen && !limit
      ? { experienceMin, experienceMax }
      : null;
  if (limit?.kind === "max")
    return isOpen ? null : { experienceMin: null, experienceMax: experienceMin };
  return limit || isOpen ? { experienceMin, experienceMax: null } : null;
}

const otherAfter =
  /^\W*(?:old|of age|contract|bond|fixed|agreement|commitment|fellowship|program\w*|course|degree|lock|vest\w*|cliff|notice|warranty|apprentice\w*|term)\b/i;
const otherBefore =
  /\b(?:age[ds]?|for|after|within|in|every|next|last|contract|bond)\s*(?:of|:)?\s*$/i;

function isAboutExperience(text: string, start: number, end: number): boolean {
  const after = text.slice(end);
  if (/^\W*(?:of\s+)?(?:\w+\s+)?exp/i.test(after)) return true;
  return !otherAfter.test(after) && !otherBefore.test(text.slice(0, start));
}

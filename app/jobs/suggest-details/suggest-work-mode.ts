/** Finds the work mode in a location or a title. */
import type { WorkMode } from "../details.ts";
import type { Found } from "./proposals.ts";

const home = String.raw`(?:remote(?:ly)?|wfh|w\.f\.h\.?|work(?:ing)?[ -]from[ -](?:home|anywhere)|wfa)`;
const office = String.raw`(?:on-?site|on site|in[ -](?:office|person|studio)|work(?:ing)?[ -]from[ -](?:the )?office|wfo)`;
const days = String.raw`(?:[1-6]|one|two|three|four|five|six)(?:\s*(?:-|–|to)\s*[1-6])?\s*(?:x\s*)?days?(?:\s+(?:a|per|in a|every)\s+week)?`;

const hybrid = /\bhybrid\b|\b(?:partly|partially|semi)[ -]remote\b/i;
const homeWords = new RegExp(String.raw`\b(?:(?:fully|100 ?%|completely)\s+)?${home}(?!\w)`, "i");
const officeWords = new RegExp(String.raw`\b${office}(?!\w)`, "i");
const homeDays = new RegExp(
  String.raw`\b${days}\s*(?:of\s+|on\s+)?(?:${home}|(?:(?:at|from)\s+)?home)(?!\w)|\b${home}\s*(?:on\s+|for\s+)?(?:[-:]\s*)?${days}`,
  "i",
);
const officeDays = new RegExp(
  String.raw`\b${days}\s*(?:${office}|(?:(?:in|at|from)\s+)?(?:the\s+)?office)(?!\w)|\b(?:${office}|office)\s*(?:on\s+|for\s+)?(?:[-:]\s*)?${days}`,
  "i",
);

const mode = String.raw`(?:hybrid|${home}|${office})`;
const choice = String.raw`\s*(?:[/|&]|\b(?:or|and)\b)\s*`;
/** With these, the mode is denied, limited, or one of several choices. */
const limited = new RegExp(
  String.raw`\b(?:not?|non|never|without|occasional\w*|sometimes|temporar\w*|initially|during|until|till|friendly|first|ok|okay|allowed|now|later|then|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|optional|option|possible|negotiable|flexible|some|few|may|can|sensing|control)\b|\b${mode}${choice}|${choice}(?:fully\s+)?${mode}(?!\w)`,
  "i",
);

/**
 * Finds the work mode in a location such as "Hybrid, Pune", "Remote" or "Pune (WFH 2 days)". A choice such as
 * "Bengaluru / Remote" gives nothing.
 */
export function findWorkMode(location: string): Found<WorkMode> | null {
  const partly = findPartly(location);
  if (partly) return partly;
  const [isHybrid, isHome, isOffice] = [hybrid, homeWords, officeWords].map((words) =>
    words.exec(location),
  );
  if (limited.test(location) || hasOtherWords(location)) return null;
  if (isHybrid) return toFound("hybrid", isHybrid);
  if (isHome && isOffice) return null;
  if (isHome) return toFound("remote", isHome);
  return isOffice ? toFound("on-site", isOffice) : null;
}

const modeWords = new RegExp(String.raw`(?:fully\s+|completely\s+)?\b(?:${mode})(?!\w)`, "gi");
const fillers = new Set(
  (
    "only work working role position job jobs mode model type setup opportunity in within across from of the a our at " +
    "and or city based permanent permanently location studio office time zone zones hours anywhere worldwide globally " +
    "partly partially semi"
  ).split(" "),
);

/** Checks whether other words than names and fillers stand beside the mode, as in "remote for now". */
function hasOtherWords(location: string): boolean {
  return location
    .split(/[,()[\]|;:–—]|\s-\s/)
    .filter((part) => part.search(modeWords) >= 0)
    .flatMap((part) => part.replace(modeWords, " ").match(/[\p{L}'’]+/gu) ?? [])
    .some((word) => !fillers.has(word.toLowerCase()) && !/^\p{Lu}/u.test(word));
}

/** Finds the mode in a title, where it needs a bracket or a dash: "UX Designer (Remote)". */
export function findWorkModeInTitle(title: string): Found<WorkMode> | null {
  const match =
    /(?:[([]|\s[-–—|]\s|,)\s*(fully remote|remote|work from home|wfh|hybrid|on-?site)\s*(?=[)\]]|$|,|\s[-–—|]\s)/i.exec(
      title,
    );
  const mode = match && findWorkMode(match[1]!);
  if (!match || !mode) return null;
  const start = match.index + match[0].lastIndexOf(match[1]!);
  return { value: mode.value, start, end: start + match[1]!.length };
}

/** Finds days at home or in the office. Up to four are hybrid work. */
function findPartly(location: string): Found<WorkMode> | null {
  const [atHome, inOffice] = [homeDays.exec(location), officeDays.exec(location)];
  const match = atHome ?? inOffice;
  if (!match) return null;
  if (few.test(match[0])) return toFound("hybrid", match);
  if (atHome && inOffice) return null;
  return hybrid.test(location) ? null : toFound(atHome ? "remote" : "on-site", match);
}

const few = /\b(?:[1-4]|one|two|three|four)\b/i;

function toFound(value: WorkMode, match: RegExpExecArray): Found<WorkMode> {
  return { value, start: match.index, end: match.index + match[0].trimEnd().length };
}

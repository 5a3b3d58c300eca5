/** Finds the discipline in a title. */
import type { Discipline } from "../details.ts";
import type { Found } from "./proposals.ts";

const roles = String.raw`(?:design(?:er)?s?|intern|lead|architect|specialist)\b`;
const both = String.raw`\b(?:ui\s?(?:[/&+,-]|and)?\s?ux|ux\s?(?:[/&+,-]|and)\s?ui)\s+${roles}`;

/** The names of each discipline in titles, the longest first. A part of a title counts for one discipline only. */
const names: [Discipline, RegExp][] = [
  ["research", /\b(?:ux|user(?: experience)?|design) research(?:er)?\b/giu],
  ["content", /\bux (?:writer|writing)\b|\bcontent design(?:er)?\b/giu],
  ["motion", /\bmotion(?: graphics?)? (?:design(?:er)?|artist)\b/giu],
  ["ux", new RegExp(both, "giu")],
  ["ux", new RegExp(String.raw`\b(?:ux|user[ -]experience|interaction)\s+${roles}`, "giu")],
  ["ui", new RegExp(String.raw`\b(?:ui|user[ -]interface)\s+${roles}`, "giu")],
  ["product", /\bproduct design(?:er)?\b/giu],
  ["graphic", /\bgraphics? design(?:er)?\b/giu],
  ["brand", /\bbrand(?:ing)?(?: identity)? design(?:er)?\b/giu],
  ["illustration", /\b(?:(?:children['’]s |editorial )?(?:book )?)illustrator\b/giu],
  ["industrial", /\bindustrial design(?:er)?\b/giu],
  ["fashion", /\b(?:fashion|textile|apparel|knitwear|garment) design(?:er)?\b/giu],
  ["spatial", /\b(?:interior|exhibition|spatial) design(?:er)?\b/giu],
  ["game", /\b(?:game|level) design(?:er)?\b/giu],
];

/** Names of programs, so that "Illustrator" is a program too. */
const program = /\badobe\b|photoshop|indesign|coreldraw|after effects|figma/i;

/**
 * Finds the discipline that a title names, such as "UX Researcher". A title that names anything else beside it gives
 * nothing, such as "Product / Graphic Designer" or "Furniture Product Designer".
 */
export function findDiscipline(title: string): Found<Discipline> | null {
  const namesProgram = program.test(title);
  let rest = title;
  const matches: Found<Discipline>[] = [];
  for (const [value, pattern] of names) {
    if (value === "illustration" && namesProgram) continue;
    for (const { index: start, 0: words } of rest.matchAll(pattern))
      matches.push({ value, start, end: start + words.length });
    rest = rest.replace(pattern, (words) => namePlace.repeat(words.length));
  }
  const [first] = matches;
  const isClear = matches.every(({ value }) => value === first?.value);
  return first && isClear && isPlain(namesProgram ? rest.replace(/\billustrator\b/i, "") : rest)
    ? first
    : null;
}

/** Replaces the letters of a found name. */
const namePlace = "·";

/** Words beside a discipline that don't change it. */
const levels = new Set(
  (
    "senior sr junior jr lead principal staff associate assistant chief head of intern internship trainee fresher " +
    "freshers freelance contract part full time remote hybrid hiring the a an mid entry level experienced director " +
    "manager vp i ii iii iv 1 2 3 4 global india urgent required wanted we are for role position team leader expert " +
    "specialist consultant years yrs year yr exp experience min minimum at least up to"
  ).split(" "),
);

/** Checks that the part of the title with the found name has only words about the level, and no other part a role. */
function isPlain(rest: string): boolean {
  return rest
    .split(/[,()[\]|:;@–—]|\s-\s/)
    .every((part) => (part.includes(namePlace) ? hasOnlyLevels(part) : !otherRole.test(part)));
}

function hasOnlyLevels(part: string): boolean {
  const [before = "", after = ""] = part.split(/·+(?:.*·)?/);
  const [beside = "", purpose = ""] = after.split(/\b(?:for|with|in|at)\b/i);
  return isOnlyLevels(before) && isOnlyLevels(beside) && !otherRole.test(purpose);
}

function isOnlyLevels(text: string): boolean {
  if (/[/&+]/.test(text.replace(/\d\s*\+/g, ""))) return false;
  const words = text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return words.every((word) => levels.has(word) || /^\d+$/.test(word));
}

/** Words of another discipline or profession. */
const otherRole =
  /\b(?:product|graphics?|brand(?:ing)?|motion|ux|ui|web|visual|packaging|illustrat\w+|industrial|fashion|textile|apparel|furniture|jewell?ery|footwear|interior|architect\w*|exhibition|gam(?:e|es|ing)|level|3d|2d|video|photograph\w*|animat\w+|copy\w*|writ(?:er|ing)|research\w*|edit(?:or|ing)|artist|developer|engineer\w*|marketing|market(?:er)?|manager|designer|automotive design|hardware|physical)\b/i;

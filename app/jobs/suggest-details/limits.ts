/** Reads the words beside a number: limits such as "no more than", and words that make it unclear. */

/** A limit beside a number, and where its words are in the text. */
export type Limit = { kind: "min" | "max"; words: string; start: number; end: number };

/** The meaning of the words beside a number. */
type Beside =
  | { isClear: true; limit: Limit | null }
  /** Unknown words, or contradicting limits. */
  | { isClear: false };

const max = String.raw`(?:should |must |can |will )?not? (?:more|higher|greater|above|over|beyond)(?: than)?|(?:should |must |can ?)?not exceed(?:ing)?|(?:can |may )?(?:go |stretch )?up ?-?to|(?:budget is )?max(?:imum)?\.?(?: budget)?|budget is up ?to|(?:less|lower|fewer) than|below|under|at most|capped at|within`;
const min = String.raw`not? (?:less|lower|fewer|below|under)(?: than)?|(?:start(?:s|ing)? )?from|start(?:s|ing)? at|min(?:imum)?\.?|at least|above|more than|over|upwards? of`;
const before = new RegExp(
  String.raw`(?<![\p{L}\d-])(?:(?<max>${max})|(?<min>${min}))(?![\p{L}\d-])`,
  "giu",
);
const after =
  /^[\s(]*(?:(?<max>max(?:imum)?\b\.?(?!\s*\d)|at (?:the )?most\b|or (?:less|below|under)\b|(?:and|&) (?:below|under)\b)|(?<min>onwards?\b|min(?:imum)?\b\.?(?!\s*\d)|(?:and|&) (?:above|up)\b|or (?:more|above)\b|plus\b(?=\s*(?:$|[,.;)]|exp|yrs?|years?))))/i;

/** Ends of the part of a text that belongs to a number. */
const clauseEnd = /[,;()|\n•@–—+]|\s-\s|[.!?](?=\s|$)/;

/**
 * Reads the words before and after a number, up to the next comma, bracket or full stop.
 *
 * @param text the part to read; abbreviations such as "max." have no full stop
 * @param known the words that may be beside the number
 */
export function readBeside(
  text: string,
  { start, end }: { start: number; end: number },
  known: { before(word: string): boolean; after(word: string): boolean; ends: RegExp },
): Beside {
  const plain = hideAbbreviations(text);
  const head = plain.slice(0, start);
  const from = start - (splitClauses(head).at(-1) ?? "").length;
  const clause = plain.slice(from, start);
  const matches = [...clause.matchAll(before)];
  const rest = clause.replace(before, (words) => " ".repeat(words.length));
  const tail = after.exec(plain.slice(end));
  const limits = matches.map((match) => toLimit(match, from + match.index, end));
  if (tail) limits.push(toLimit(tail, start, end + tail[0].length));
  const isKnown =
    listWords(rest).every(known.before) &&
    isKnownAfter(plain.slice(end + (tail?.[0].length ?? 0)), known);
  if (limits.length > 1 || !isKnown || /[~±]/.test(rest)) return { isClear: false };
  return { isClear: true, limit: limits[0] ?? null };
}

function toLimit({ groups, 0: words }: RegExpExecArray, start: number, end: number): Limit {
  return { kind: groups!.max ? "max" : "min", words: words.toLowerCase(), start, end };
}

/** Replaces the full stop of abbreviations by a space, so that each letter keeps its place. */
function hideAbbreviations(text: string): string {
  return text.replace(
    /(?<=\b(?:max|min|approx|avg|est|exp|sr|jr|rs|yrs?|p\.?\s?[am]|c))\.(?!\d)/gi,
    " ",
  );
}

function splitClauses(text: string): string[] {
  return text.split(clauseEnd);
}

function listWords(text: string): string[] {
  return text.match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];
}

const unclearAfter =
  /^[\s(,-]*(?:approx\w*|tentative\w*|roughly|about|or so\b|on (?:an )?average|average|avg\b|ish\b|estimated|expected|preferred|preferably|desirable|ideal\w*)|^\s*(?:±|\+\/-)/i;

function isKnownAfter(text: string, { after: isKnown, ends }: Parameters<typeof readBeside>[2]) {
  if (unclearAfter.test(text)) return false;
  const [clause = ""] = splitClauses(text);
  const [beside = ""] = clause.split(ends);
  return listWords(beside).every(isKnown);
}

export function createWordCheck(words: string): (word: string) => boolean {
  const list = new Set(words.split(" "));
  return (word) => list.has(word.toLowerCase());
}

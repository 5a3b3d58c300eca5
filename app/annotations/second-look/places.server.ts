import type { BoxSides, PageText } from "../../files/inspect/page-text.ts";
import type { Part } from "../../reviews/rubric.ts";
import type { Area, Remark } from "../rules.ts";
import type { Proposal } from "./outcomes.ts";

/** A page of the earlier or the new files, with its words. */
export type WordedPage = PageText & { part: Part; number: number };

type Token = { word: string; box: BoxSides };
type LocatedToken = Token & { page: number };

/**
 * Proposes the place of an earlier remark on the new pages: first the same words, then the same part of the same page.
 *
 * @returns null for a remark on a screenshot, or if the new file has no such page
 */
export function findProposal(
  remark: Pick<Remark, "target" | "area" | "quote">,
  earlier: readonly WordedPage[],
  pages: readonly WordedPage[],
): Proposal | null {
  const { target, area } = remark;
  if (target?.kind !== "page") return null;
  const own = pages.filter(({ part }) => part === target.part);
  const origin = earlier.find(({ part, number }) => part === target.part && number === target.page);
  const remarkWords = findRemarkWords(remark, origin);
  const match = remarkWords && findWords(remarkWords, own.flatMap(listPageTokens), target.page);
  if (match)
    return {
      target: { ...target, page: match.page },
      area: area && match.area,
      hasSameWords: true,
    };
  if (!own.some(({ number }) => number === target.page)) return null;
  return { target, area, hasSameWords: false };
}

/** The words of a remark, with those around them and their height on the page. */
type RemarkWords = { words: string[]; around: string[]; y: number };

/** The number of words before and after that tell equal words apart. */
const wordsAround = 6;

/** Finds the words of a remark: its quote, or else the words in its area. Null without any. */
function findRemarkWords(
  { area, quote }: Pick<Remark, "area" | "quote">,
  origin: WordedPage | undefined,
): RemarkWords | null {
  const tokens = origin ? listPageTokens(origin) : [];
  const y = area ? area.y + area.height / 2 : 0;
  const quoted = quote?.split(/\s+/).map(normalize).filter(Boolean) ?? [];
  if (quoted.length > 0) {
    const at = findWindow({ words: quoted, around: [], y }, tokens, 0);
    return { words: quoted, around: at ? listAround(tokens, at.start, quoted.length) : [], y };
  }
  if (!area) return null;
  const start = tokens.findIndex(({ box }) => isWordInArea(area, box));
  const end = tokens.findLastIndex(({ box }) => isWordInArea(area, box));
  if (start < 0) return null;
  const words = tokens.filter(({ box }) => isWordInArea(area, box)).map(({ word }) => word);
  return { words, around: listAround(tokens, start, end - start + 1), y };
}

function listAround(tokens: readonly Token[], start: number, length: number): string[] {
  return [
    ...tokens.slice(Math.max(0, start - wordsAround), start),
    ...tokens.slice(start + length, start + length + wordsAround),
  ].map(({ word }) => word);
}

/** Checks whether the center of a word is in an area. A point has the words of its line. */
function isWordInArea(area: Area, [left, top, width, height]: BoxSides): boolean {
  const isPoint = area.width === 0 && area.height === 0;
  if (isPoint) return top <= area.y && area.y <= top + height;
  const [x, y] = [left + width / 2, top + height / 2];
  return area.x <= x && x <= area.x + area.width && area.y <= y && y <= area.y + area.height;
}

/** The least share of a remark's words that must be at a place. Few words must all be there. */
const minShare = 0.7;
const fewWords = 3;

function findWords(remarkWords: RemarkWords, tokens: readonly LocatedToken[], page: number) {
  const match = findWindow(remarkWords, tokens, page);
  const share = match ? match.matches / remarkWords.words.length : 0;
  if (!match || share < (remarkWords.words.length <= fewWords ? 1 : minShare)) return null;
  const rest = [...remarkWords.words];
  const matched = tokens
    .slice(match.start, match.start + remarkWords.words.length)
    .filter((token) => {
      const at = rest.indexOf(token.word);
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    });
  const [first] = matched;
  const onPage = matched.filter((token) => token.page === first!.page);
  return { page: first!.page, area: joinBoxes(onPage.map(({ box }) => box)) };
}

type Window = { start: number; matches: number };

/**
 * Finds the run of words that has most of the wanted ones. Of equal ones, the one with more of the words around wins,
 * then the nearest on the pages.
 */
function findWindow(
  { words, around, y }: RemarkWords,
  tokens: readonly (Token & { page?: number })[],
  page: number,
): Window | null {
  const counts = countWords(words);
  const length = words.length;
  const present = new Map<string, number>();
  let matches = 0;
  let best: { rank: number[] } & Window = { rank: [], start: -1, matches: 0 };
  for (const [index, { word }] of tokens.entries()) {
    matches += change(present, counts, word, 1);
    const left = tokens[index - length];
    if (left) matches += change(present, counts, left.word, -1);
    if (matches === 0 || matches < best.matches) continue;
    const start = Math.max(0, index - length + 1);
    const first = tokens[start]!;
    const rank = [
      matches,
      countCommon(around, listAround(tokens, start, length)),
      -Math.abs((first.page ?? page) - page),
      -Math.abs(first.box[1] - y),
    ];
    if (isHigher(rank, best.rank)) best = { rank, start, matches };
  }
  return best.start < 0 ? null : best;
}

/** Adds a word to a window or removes it. @returns the change of the number of matches */
function change(
  present: Map<string, number>,
  limits: ReadonlyMap<string, number>,
  word: string,
  by: 1 | -1,
): number {
  const limit = limits.get(word) ?? 0;
  if (limit === 0) return 0;
  const before = present.get(word) ?? 0;
  present.set(word, before + by);
  return Math.min(before + by, limit) - Math.min(before, limit);
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function countCommon(words: readonly string[], others: readonly string[]): number {
  const rest = [...others];
  return words.filter((word) => {
    const at = rest.indexOf(word);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  }).length;
}

function isHigher(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((value, index) => value !== other[index]);
  return at >= 0 && rank[at]! > (other[at] ?? -Infinity);
}

function listPageTokens({ number, text, words }: WordedPage): LocatedToken[] {
  return words
    .map(([start, length, ...box]) => ({
      word: normalize(text.slice(start, start + length)),
      box,
      page: number,
    }))
    .filter(({ word }) => word !== "");
}

/** Removes case and punctuation. */
function normalize(word: string): string {
  return word
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");
}

function joinBoxes(boxes: readonly BoxSides[]): Area {
  const x = Math.min(...boxes.map(([left]) => left));
  const y = Math.min(...boxes.map(([, top]) => top));
  const right = Math.max(...boxes.map(([left, , width]) => left + width));
  const bottom = Math.max(...boxes.map(([, top, , height]) => top + height));
  return { x, y, width: right - x, height: bottom - y };
}

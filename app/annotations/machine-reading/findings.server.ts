import type { BoxSides, PageText } from "../../files/inspect/page-text.ts";
import { findPhoneNumbers } from "../../platform/text/phone-numbers.ts";
import type { Part } from "../../reviews/rubric.ts";
import { hasColumnsReadAcross } from "./columns.server.ts";
import type { FileReading, Finding } from "./file-reading.ts";
import { countNoun } from "../../platform/count-noun.ts";

export type ReadPage = { number: number } & PageText;

/**
 * Lists the findings in the pages of a part, most severe first.
 *
 * @param pageCount the file's number of pages; `pages` can be fewer
 */
export function listFindings(part: Part, pages: readonly ReadPage[], pageCount: number): Finding[] {
  const silent = pages.filter((page) => listCharacters(page).length < minCharacters);
  if (silent.length === pages.length) {
    return [
      toProblem("Software finds no text in this file: it is a picture to it."),
      checkLength(part, pageCount),
    ];
  }
  return [
    ...(silent.length > 0
      ? [toProblem(`Software finds no text on ${formatPageNumbers(silent)}.`)]
      : []),
    ...checkLetters(pages),
    ...checkColumns(pages),
    ...checkReadingOrder(pages),
    ...(part === "resume" ? checkContacts(pages) : []),
    ...checkLinks(pages),
    ...checkFonts(pages),
    checkLength(part, pageCount),
  ];
}

/** The longest text that owners see of their file, in characters. */
const maxTextLength = 10_000;

/**
 * Describes what software reads in a file, for its owner: the result of each check, and the text.
 *
 * @param pages all pages of the file
 * @param size of the file, in bytes
 */
export function describeFile(part: Part, pages: readonly ReadPage[], size: number): FileReading {
  let left = maxTextLength;
  const texts = pages.map(({ number, text }) => {
    const excerpt = text.trim().slice(0, left).toWellFormed();
    left -= excerpt.length;
    return { number, text: excerpt };
  });
  return {
    size,
    pageCount: pages.length,
    characters: pages.reduce((sum, page) => sum + listCharacters(page).length, 0),
    findings: listResults(part, pages),
    pages: left > 0 ? texts : texts.filter(({ text }) => text !== ""),
    isCut: left === 0,
  };
}

/** Lists the result of each check: its problems, or a sentence that there are none. */
function listResults(part: Part, pages: readonly ReadPage[]): Finding[] {
  const silent = pages.filter((page) => listCharacters(page).length < minCharacters);
  const length = checkLength(part, pages.length);
  if (silent.length === pages.length)
    return [toProblem("This file is a picture: software reads nothing in it."), length];
  const results: [problems: Finding[], passed: string][] = [
    [listSilentPages(silent), "All text can be selected."],
    [checkLetters(pages), "Software recognizes every letter."],
    [
      [...checkColumns(pages), ...checkReadingOrder(pages)],
      "Software reads the text in the order of the page.",
    ],
    [
      part === "resume" ? checkContacts(pages) : [],
      part === "resume" ? "Software finds your email address and phone number." : "",
    ],
    [checkLinks(pages), formatLinkCount(pages)],
    [checkFonts(pages), "The typefaces look the same on other computers."],
  ];
  const listed = results.flatMap(([problems, passed]): Finding[] =>
    problems.length > 0 || passed === "" ? problems : [{ isProblem: false, text: passed }],
  );
  return [...listed, length];
}

function listSilentPages(silent: readonly ReadPage[]): Finding[] {
  if (silent.length === 0) return [];
  const pictures =
    silent.length === 1 ? "1 page is a picture" : `${silent.length} pages are pictures`;
  return [toProblem(`${pictures}: software reads nothing there (${formatPageNumbers(silent)}).`)];
}

function formatLinkCount(pages: readonly ReadPage[]): string {
  const count = pages.reduce((sum, { links }) => sum + links.length, 0);
  if (count === 0) return "It has no links.";
  return count === 1 ? "Readers can click 1 link." : `Readers can click all ${count} links.`;
}

function toProblem(text: string): Finding {
  return { isProblem: true, text };
}

/** A page with fewer characters counts as empty: it may have only a page number. */
const minCharacters = 10;

/** Returns the characters of a page without spaces. */
function listCharacters({ text }: ReadPage): string[] {
  return text.match(/\S/gu) ?? [];
}

/** Formats page numbers: "page 2", "pages 2, 3 and 7". */
function formatPageNumbers(pages: readonly ReadPage[]): string {
  const numbers = pages.map(({ number }) => String(number));
  return `${pages.length === 1 ? "page" : "pages"} ${formatWordList(numbers)}`;
}

function formatWordList(words: readonly string[]): string {
  return new Intl.ListFormat("en-IN").format(words);
}

/** The share of unknown characters that ornaments can explain. */
const maxUnknownShare = 0.05;

/** Reports fonts that do not map their glyphs to letters. */
function checkLetters(pages: readonly ReadPage[]): Finding[] {
  const affected = pages.filter((page) => {
    const all = listCharacters(page);
    const unknown = all.filter((sign) => /[\ufffd\p{Private_Use}]/u.test(sign));
    return all.length >= minCharacters && unknown.length > maxUnknownShare * all.length;
  });
  if (affected.length === 0) return [];
  return [
    toProblem(
      `Software can't read the letters on ${formatPageNumbers(affected)}: the font doesn't name them.`,
    ),
  ];
}

type Word = { text: string; box: BoxSides };

function groupWordsByLine({ text, words }: ReadPage): Word[][] {
  const lines: Word[][] = [];
  let end = -1;
  for (const [start, size, ...box] of words) {
    const isSameLine = end >= 0 && !text.slice(end, start).includes("\n");
    if (!isSameLine) lines.push([]);
    lines.at(-1)!.push({ text: text.slice(start, start + size), box });
    end = start + size;
  }
  return lines;
}

/** Reports columns whose lines are read across. */
function checkColumns(pages: readonly ReadPage[]): Finding[] {
  const affected = pages.filter(hasColumnsReadAcross);
  if (affected.length === 0) return [];
  return [
    toProblem(
      `Columns are read across on ${formatPageNumbers(affected)}: a line of the left one goes on in the right one.`,
    ),
  ];
}

/** The least jump up, as a share of the page's height. Shorter jumps lead to the next column's line. */
const minJump = 0.1;
/** Ordinary columns and a footer cause up to this many jumps up. */
const maxJumps = 3;

function checkReadingOrder(pages: readonly ReadPage[]): Finding[] {
  const affected = pages.filter((page) => {
    const tops = groupWordsByLine(page).map(([first]) => first!.box[1]);
    return tops.filter((top, index) => tops[index - 1]! - top > minJump).length > maxJumps;
  });
  if (affected.length === 0) return [];
  return [
    toProblem(
      `The text of ${formatPageNumbers(affected)} is read in a different order than on the page.`,
    ),
  ];
}

/** A letter, digit or sign of an address, in any script. */
const sign = String.raw`[\p{L}\p{M}\p{N}\p{Join_Control}_-]`;

/** Lengths are bounded, so that a hostile page of unbroken letters cannot cause quadratic backtracking. */
const emailAddress = new RegExp(
  String.raw`(?:${sign}|[.+%'’]){1,64}[@＠]${sign}{1,63}(?:[.．。]${sign}{1,63})+`,
  "u",
);

function checkContacts(pages: readonly ReadPage[]): Finding[] {
  const text = pages.map((page) => page.text).join("\n");
  const links = pages.flatMap((page) => page.links.map(({ address }) => address)).join("\n");
  const missing = [
    ...(emailAddress.test(text)
      ? []
      : [`no email address${formatLinkHint(emailAddress.test(links))}`]),
    ...(findPhoneNumbers(text).length > 0
      ? []
      : [`no phone number${formatLinkHint(/tel:/i.test(links))}`]),
  ];
  return missing.length === 0
    ? []
    : [toProblem(`Software finds ${formatWordList(missing)} in the text.`)];
}

function formatLinkHint(isLinked: boolean): string {
  return isLinked ? " (only behind a link)" : "";
}

/** Email and web addresses in running text. Web addresses match only if they cannot be anything else. */
export const writtenAddress = new RegExp(
  [
    emailAddress.source,
    String.raw`(?:https?:\/\/|www\.)[^\s<>()]+`,
    String.raw`(?<![\p{L}\p{M}\p{N}_])${sign}{1,63}(?:\.${sign}{1,63}){0,4}\.(?:com|in|net|org|io|design|me|co|dev|app|studio|work|site|page|xyz|भारत)(?![\p{L}\p{M}\p{N}_])(?:\/[^\s<>()]*)?`,
  ].join("|"),
  "giu",
);
const maxListed = 3;
/** The limit of addresses for one page, more than any real resume has. */
const maxAddresses = 100;

function checkLinks(pages: readonly ReadPage[]): Finding[] {
  const unlinked = new Set(pages.flatMap(listUnlinkedAddresses));
  if (unlinked.size === 0) return [];
  const listed = [...unlinked].slice(0, maxListed).map((address) => `“${address}”`);
  if (unlinked.size > maxListed) listed.push(`${unlinked.size - maxListed} more`);
  const advice =
    unlinked.size === 1
      ? "isn't clickable. Make it a link so nobody has to type it."
      : "aren't clickable. Make them links so nobody has to type them.";
  return [toProblem(`${formatWordList(listed)} ${advice}`)];
}

function listUnlinkedAddresses({ text, words, links }: ReadPage): string[] {
  return [...text.matchAll(writtenAddress)].slice(0, maxAddresses).flatMap((match) => {
    const address = match[0].replace(/(?<![.,;:])[.,;:]+$/, "");
    const end = match.index + address.length;
    const own = words.filter(([start, size]) => start < end && match.index < start + size);
    const isLinked = links.some(
      (link) =>
        link.address.includes(address) || own.some(([, , ...box]) => isOverlapping(box, link.box)),
    );
    return isLinked ? [] : [address];
  });
}

function isOverlapping(one: BoxSides, other: BoxSides): boolean {
  const overlapsAt = (at: 0 | 1) =>
    one[at] < other[at] + other[at + 2]! && other[at] < one[at] + one[at + 2]!;
  return overlapsAt(0) && overlapsAt(1);
}

/** Fonts that every PDF reader has. */
const standardFonts = /^(?:Helvetica|Times|Courier|Symbol|ZapfDingbats)/;
/** The prefix of a partly embedded font's name, as in "AAAAAB+Inter". */
const subset = /^[A-Z]{6}\+/;

function checkFonts(pages: readonly ReadPage[]): Finding[] {
  const names = pages
    .flatMap(({ fonts }) => fonts)
    .filter(({ name, isEmbedded }) => !isEmbedded && name && !standardFonts.test(name))
    .map(({ name }) => `“${name.replace(subset, "")}”`);
  if (names.length === 0) return [];
  const unique = [...new Set(names)];
  const verb = unique.length === 1 ? "is not embedded" : "are not embedded";
  return [toProblem(`${formatWordList(unique)} ${verb}: other computers show another typeface.`)];
}

/** The most pages that a resume is expected to have. */
const maxResumePages = 2;

function checkLength(part: Part, pageCount: number): Finding {
  const pages = countNoun(pageCount, "page");
  if (part === "resume" && pageCount > maxResumePages) {
    return toProblem(`It has ${pages}, where a resume is expected to have one or two.`);
  }
  return { isProblem: false, text: `It has ${pages}.` };
}

import type { PageText } from "../../files/inspect/page-text.ts";

/**
 * Checks whether software reads the columns of a page across: a line of a column goes on below it, but something beside
 * the column is read in between. Dates at the right edge, tables and headers don't do that.
 */
export function hasColumnsReadAcross(page: PageText): boolean {
  const pieces = listPieces(page).slice(0, maxPieces);
  const pageRight = Math.max(...pieces.map(({ right }) => right));
  const broken = pieces.filter((_piece, index) => isContinuedElsewhere(pieces, index, pageRight));
  return broken.length >= minBroken;
}

/** In pieces, more than any real page has. */
const maxPieces = 1000;
/** Fewer can be a coincidence. */
const minBroken = 3;

/** Words that are read one after the other, on one line and without a wide gap. All places are shares of the page. */
type Piece = {
  /** The left edge of its text, after a bullet. */
  left: number;
  right: number;
  top: number;
  bottom: number;
  hasBullet: boolean;
  words: string[];
  firstWidth: number;
};

/** The widest space between two words, as a share of the page's width. Justified lines have wide ones. */
const maxSpaceWidth = 0.018;
const bullet = /^[•●○▪■◦‣∙·*»➢➤✓✔–—\-\u{f0a7}\u{f0b7}]$/u;

function listPieces({ text, words }: PageText): Piece[] {
  const pieces: Piece[] = [];
  let end = -1;
  for (const [start, size, left, top, width, height] of words) {
    const word = text.slice(start, start + size);
    const isSameLine = end >= 0 && !text.slice(end, start).includes("\n");
    end = start + size;
    const box = { left, right: left + width, top, bottom: top + height };
    const last = pieces.at(-1);
    const gap = last ? left - last.right : 0;
    if (
      !last ||
      !isSameLine ||
      gap > maxSpaceWidth ||
      gap < -maxSpaceWidth ||
      !isInRow(last, box)
    ) {
      const hasBullet = bullet.test(word);
      pieces.push({ ...box, hasBullet, words: hasBullet ? [] : [word], firstWidth: width });
      continue;
    }
    if (last.words.length === 0) Object.assign(last, { left, firstWidth: width });
    last.words.push(word);
    last.right = Math.max(last.right, box.right);
    last.top = Math.min(last.top, top);
    last.bottom = Math.max(last.bottom, box.bottom);
  }
  return pieces.filter((piece) => piece.words.length > 0);
}

type Rows = Pick<Piece, "top" | "bottom">;

/** Checks whether two pieces share most of their height. */
function isInRow(one: Rows, other: Rows): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared > 0.5 * Math.min(one.bottom - one.top, other.bottom - other.top);
}

/** Checks whether a line goes on in the line below it, but another column is read before that. */
function isContinuedElsewhere(pieces: readonly Piece[], index: number, pageRight: number): boolean {
  const line = pieces[index]!;
  if (line.words.length < 2 || /[.:;!?।]$/u.test(line.words.at(-1)!) || isDated(line)) return false;
  const next = findLineBelow(pieces, index);
  if (next === null || next === index + 1) return false;
  const below = pieces[next]!;
  if (below.hasBullet || /^\P{L}*\p{Lu}/u.test(below.words[0]!)) return false;
  const gutter = findGutter(pieces, line, pageRight);
  const right = findColumnRight(pieces, line, gutter);
  const isFull = line.right + maxSpaceWidth + below.firstWidth > right;
  if (!isFull || gutter - right > maxGutterWidth || right - line.left < minColumnWidth)
    return false;
  const rows = { top: line.top, bottom: below.bottom };
  return pieces.slice(index + 1, next).some((other) => {
    const isBeside = other.left >= right || other.right <= line.left;
    return isBeside && other.top < rows.bottom && rows.top < other.bottom;
  });
}

/** A narrower column has dates or labels. As a share of the page's width. */
const minColumnWidth = 0.15;
const maxGutterWidth = 0.15;
/** The difference of left edges in one column. */
const aligned = 0.008;

/** Finds the next line of the same column, which is read later; null without one. */
function findLineBelow(pieces: readonly Piece[], index: number): number | null {
  const line = pieces[index]!;
  const height = line.bottom - line.top;
  for (let at = index + 1; at < pieces.length; at++) {
    const { left, top } = pieces[at]!;
    const step = top - line.top;
    if (Math.abs(left - line.left) < aligned && step > 0.6 * height && step < 2.2 * height)
      return at;
  }
  return null;
}

/** Returns the left edge of what is to the right of a line, or the right edge of the page's text. */
function findGutter(pieces: readonly Piece[], line: Piece, pageRight: number): number {
  const beside = pieces.filter((other) => other.left > line.right && isInRow(line, other));
  return Math.min(pageRight, ...beside.map(({ left }) => left));
}

/** Returns the right edge of a line's column: that of its longest line on this side of the gutter. */
function findColumnRight(pieces: readonly Piece[], line: Piece, gutter: number): number {
  const own = pieces.filter(
    ({ left, right }) => Math.abs(left - line.left) < aligned && right <= gutter,
  );
  return Math.max(line.right, ...own.map(({ right }) => right));
}

const datePattern =
  /^(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|present|current|now|today|since|till|to)[a-z]*|[\d\s.,'’/()\p{Pd}])+$/iu;

function isDated({ words }: Piece): boolean {
  return datePattern.test(words.join(" "));
}

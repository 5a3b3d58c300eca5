import type { BoxSides, PageFont, PageText, WordBox } from "./page-text.ts";
import type { PageApi } from "./pdfium-api.server.ts";

export const noText: PageText = { text: "", words: [], links: [], fonts: [] };

/** The limit for a page, against attacks. A page of a book has 3,000. */
export const maxCharacters = 20_000;

/**
 * Reads the words of a page's content.
 *
 * @param displayed the page as displayed, if that is another one
 */
export function readText(
  api: PageApi,
  page: number,
  displayed: number = page,
  max: number = maxCharacters,
): Omit<PageText, "links"> {
  const handle = api._FPDFText_LoadPage(page);
  if (handle === 0) return noText;
  const room = api.wasmExports.malloc(roomForBox);
  const fonts = new Map<number, PageFont>();
  const words: WordBox[] = [];
  let text = "";
  let word: { start: number; box: Box | null } | null = null;
  const endWord = () => {
    if (word?.box) words.push([word.start, text.length - word.start, ...toBoxSides(word.box)]);
    word = null;
  };
  const count = api._FPDFText_CountChars(handle);
  for (let index = 0; index < Math.min(count, max); index++) {
    const { code, units } = readCodePoint(api, handle, index, count);
    const character = toStorableCharacter(code);
    if (character.trim() === "") endWord();
    else {
      word ??= { start: text.length, box: null };
      for (let unit = index; unit < index + units; unit++)
        word.box = mergeBoxes(word.box, getCharacterBox(api, displayed, handle, unit, room));
      recordFont(api, fonts, api._FPDFText_GetTextObject(handle, index));
    }
    text += character;
    index += units - 1;
  }
  endWord();
  api.wasmExports.free(room);
  api._FPDFText_ClosePage(handle);
  return { text, words, fonts: [...fonts.values()] };
}

/** Reads a character, which takes two indices beyond U+FFFF since PDFium counts UTF-16 code units. */
function readCodePoint(
  api: PageApi,
  text: number,
  index: number,
  count: number,
): { code: number; units: 1 | 2 } {
  const first = api._FPDFText_GetUnicode(text, index);
  if (first >= 0xd8_00 && first <= 0xdb_ff && index + 1 < count) {
    const second = api._FPDFText_GetUnicode(text, index + 1);
    if (second >= 0xdc_00 && second <= 0xdf_ff)
      return { code: String.fromCharCode(first, second).codePointAt(0)!, units: 2 };
  }
  return { code: first, units: 1 };
}

/** In bytes. Longer names are read as "". */
const maxFontNameBytes = 200;

function recordFont(api: PageApi, fonts: Map<number, PageFont>, object: number): void {
  const font = object && api._FPDFTextObj_GetFont(object);
  if (!font || fonts.has(font)) return;
  const name = readString(api, maxFontNameBytes, (address, size) =>
    api._FPDFFont_GetBaseFontName(font, address, size),
  );
  fonts.set(font, { name, isEmbedded: api._FPDFFont_GetIsEmbedded(font) === 1 });
}

/**
 * Reads a string from the engine.
 *
 * @param write takes an address and the available size, and returns the needed size including the final zero
 * @returns "" if it doesn't fit
 */
export function readString(
  api: PageApi,
  size: number,
  write: (address: number, size: number) => number,
): string {
  const address = api.wasmExports.malloc(size);
  const length = write(address, size);
  const bytes = Buffer.from(api.HEAPU8.slice(address, address + Math.max(0, length - 1)));
  api.wasmExports.free(address);
  // Databases and browsers don't accept control characters.
  return length > 0 && length <= size ? bytes.toString("utf8").replaceAll(/\p{Cc}/gu, "") : "";
}

/** The engine's mark for a hyphen at the end of a line. */
const lineHyphen = 0x02;

/** Returns the character of a code, or U+FFFD if databases or browsers don't accept it. */
function toStorableCharacter(code: number): string {
  if (code === lineHyphen) return "-";
  if (code === 0x0d) return "";
  const isText = code === 0x0a || code === 0x09 || (code >= 0x20 && code <= 0x10_ff_ff);
  return isText ? String.fromCodePoint(code).toWellFormed() : "\ufffd";
}

/** Edges as fractions of the displayed page, from its top left corner. */
type Box = { left: number; top: number; right: number; bottom: number };

/** The size of the virtual device for which the engine returns integer positions, large enough to be precise. */
const parts = 1_000_000;

/** In bytes, four numbers of eight. */
export const roomForBox = 32;

/** Reads a box from the engine, relative to the displayed page. Returns null for a box outside the page. */
export function readBox(api: PageApi, page: number, room: number): Box | null {
  const [left, top, right, bottom] = api.HEAPF32.slice(room / 4, room / 4 + 4);
  return toPageBox(api, page, room, { left: left!, top: top!, right: right!, bottom: bottom! });
}

/**
 * Returns the box of a character, or null outside the page. It is as high as its line and at least as wide as its ink,
 * since combined Indic signs have no correct width.
 */
function getCharacterBox(api: PageApi, page: number, text: number, index: number, room: number) {
  if (!api._FPDFText_GetLooseCharBox(text, index, room)) return null;
  const line = readBox(api, page, room);
  api._FPDFText_GetCharBox(text, index, room, room + 8, room + 16, room + 24);
  const [left, right, bottom, top] = api.HEAPF64.slice(room / 8, room / 8 + 4);
  const ink = { left: left!, top: top!, right: right!, bottom: bottom! };
  return mergeBoxes(line, toPageBox(api, page, room, ink));
}

/** Converts points of the document to fractions of the page. The buffer is reused for the corners. */
function toPageBox(api: PageApi, page: number, room: number, edges: Box): Box | null {
  const point = (x: number, y: number) => {
    api._FPDF_PageToDevice(page, 0, 0, parts, parts, 0, x, y, room, room + 4);
    return [api.HEAP32[room / 4]! / parts, api.HEAP32[room / 4 + 1]! / parts] as const;
  };
  const [x1, y1] = point(edges.left, edges.top);
  const [x2, y2] = point(edges.right, edges.bottom);
  const box = {
    left: Math.max(0, Math.min(x1, x2)),
    top: Math.max(0, Math.min(y1, y2)),
    right: Math.min(1, Math.max(x1, x2)),
    bottom: Math.min(1, Math.max(y1, y2)),
  };
  return box.left < box.right && box.top < box.bottom ? box : null;
}

function mergeBoxes(one: Box | null, other: Box | null): Box | null {
  if (!one || !other) return one ?? other;
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

export function toBoxSides({ left, top, right, bottom }: Box): BoxSides {
  return [left, top, right - left, bottom - top].map(
    (share) => Math.round(share * 10_000) / 10_000,
  ) as BoxSides;
}

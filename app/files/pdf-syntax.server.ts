/** Reads the dictionaries of a PDF, as far as finding out about its encryption needs it. */

export type PdfValue =
  | number
  | boolean
  | null
  | Buffer
  | PdfName
  | PdfReference
  | PdfValue[]
  | PdfDictionary;
export type PdfName = { name: string };
export type PdfReference = { object: number; generation: number };
export type PdfDictionary = Map<string, PdfValue>;

type Reader = { text: string; at: number; depth: number };

const spaces = /(?:[\0\t\n\f\r ]|%[^\r\n]*)*/y;
const reference = /(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+R(?![A-Za-z0-9])/y;
const number = /[+-]?(?:\d+\.?\d*|\.\d+)/y;
const name = /\/([^\0\t\n\f\r ()<>[\]{}/%]*)/y;
const hexString = /<([0-9A-Fa-f\0\t\n\f\r ]*)>/y;
const word = /true|false|null/y;

/** In bytes; dictionaries that concern encryption are far smaller. */
export const dictionaryLimit = 16 * 1024;
const deepest = 20;

/** The dictionary that begins at `at`, or null. One that is cut off gives the entries it has. */
export function readDictionary(bytes: Buffer, at: number): PdfDictionary | null {
  const text = bytes.toString("latin1", at, at + dictionaryLimit);
  const reader: Reader = { text, at: 0, depth: 0 };
  take(reader, spaces);
  const value = reader.text.startsWith("<<", reader.at) ? readValue(reader) : undefined;
  return value instanceof Map ? value : null;
}

export function nameOf(value: PdfValue | undefined): string | null {
  return isObject(value) && "name" in value ? value.name : null;
}

export function referenceOf(value: PdfValue | undefined): PdfReference | null {
  return isObject(value) && "object" in value ? value : null;
}

function isObject(value: PdfValue | undefined): value is PdfName | PdfReference {
  return typeof value === "object" && value !== null && ("name" in value || "object" in value);
}

function readValue(reader: Reader): PdfValue | undefined {
  take(reader, spaces);
  if (reader.depth > deepest) return undefined;
  if (reader.text.startsWith("<<", reader.at)) return readEntries(reader);
  const first = reader.text[reader.at];
  if (first === "[") return readArray(reader);
  if (first === "(") return readLiteral(reader);

  let found: RegExpExecArray | null;
  if ((found = take(reader, name))) return { name: unescapeName(found[1] ?? "") };
  if ((found = take(reader, hexString))) return readHex(found[1] ?? "");
  if ((found = take(reader, reference))) {
    return { object: Number(found[1]), generation: Number(found[2]) };
  }
  if ((found = take(reader, number))) return Number(found[0]);
  if ((found = take(reader, word))) return found[0] === "null" ? null : found[0] === "true";
  return undefined;
}

function readEntries(reader: Reader): PdfDictionary {
  const entries: PdfDictionary = new Map();
  reader.at += 2;
  reader.depth++;
  for (;;) {
    take(reader, spaces);
    const key = take(reader, name);
    const value = key ? readValue(reader) : undefined;
    if (!key || value === undefined) break;
    entries.set(unescapeName(key[1] ?? ""), value);
  }
  if (reader.text.startsWith(">>", reader.at)) reader.at += 2;
  reader.depth--;
  return entries;
}

function readArray(reader: Reader): PdfValue[] {
  const items: PdfValue[] = [];
  reader.at += 1;
  reader.depth++;
  for (let item = readValue(reader); item !== undefined; item = readValue(reader)) {
    items.push(item);
  }
  if (reader.text[reader.at] === "]") reader.at += 1;
  reader.depth--;
  return items;
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** A string in parentheses, which may hold balanced parentheses of its own. */
function readLiteral(reader: Reader): Buffer | undefined {
  const { text } = reader;
  let end = reader.at + 1;
  for (let open = 1; ; end++) {
    const character = text[end];
    if (character === undefined) return undefined;
    if (character === "\\") end++;
    else if (character === "(") open++;
    else if (character === ")" && --open === 0) break;
  }
  const inner = text.slice(reader.at + 1, end).replace(/\r\n?/g, "\n");
  reader.at = end + 1;
  const plain = inner.replace(/\\([0-7]{1,3}|[^])/g, (_, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 255);
    return escaped === "\n" ? "" : (escapes[escaped] ?? escaped);
  });
  return Buffer.from(plain, "latin1");
}

function readHex(text: string): Buffer {
  const digits = text.replace(/[^0-9A-Fa-f]/g, "");
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, "hex");
}

function unescapeName(text: string): string {
  return text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found) reader.at += found[0].length;
  return found;
}

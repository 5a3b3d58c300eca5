/** Names that stand in a PDF for what a reader runs, launches or unpacks. */
const activeNames = new Set([
  "JavaScript",
  "JS",
  "Launch",
  "EmbeddedFile",
  "EmbeddedFiles",
  "EF",
  "FileAttachment",
  "RichMedia",
  "XFA",
]);

/**
 * Whether a PDF holds scripts, launch actions or embedded files, wherever: in the catalog, a page, a
 * field, a bookmark or a link.
 *
 * @param rewritten the document as the engine writes it: every object on its own, at the place that
 *   the table at the end names, names without escapes. What cannot be followed counts as active.
 */
export function hasActiveContent(rewritten: Buffer): boolean {
  const offsets = readOffsets(rewritten);
  return offsets === null || offsets.some((offset) => hasActiveName(rewritten, offset));
}

/** The places of all objects, by the table of cross-references; null without one. */
function readOffsets(bytes: Buffer): number[] | null {
  const pointer = /startxref\s+(\d+)/.exec(bytes.toString("latin1", bytes.length - 64));
  if (!pointer) return null;
  const table = bytes.toString("latin1", Number(pointer[1]));
  if (!table.startsWith("xref")) return null;
  const end = table.indexOf("trailer");
  return [...table.slice(0, end).matchAll(/^(\d{10}) \d{5} n/gm)].map(([, offset]) =>
    Number(offset),
  );
}

const [slash, open, close, escape] = Buffer.from("/()\\");

/** Looks at the names of an object, and neither into its strings nor its stream. */
function hasActiveName(bytes: Buffer, offset: number): boolean {
  for (let at = offset; at < bytes.length; at++) {
    if (bytes[at] === slash) {
      const name = readName(bytes, at + 1);
      if (activeNames.has(name)) return true;
      at += name.length;
    } else if (bytes[at] === open) {
      at = endOfString(bytes, at);
    } else if (startsWith(bytes, at, "endobj") || startsWith(bytes, at, "stream")) {
      return false;
    }
  }
  return false;
}

const delimiters = new Set(Buffer.from("\0\t\n\f\r ()<>[]{}/%"));
const longestActiveName = 20;

/** A name as far as it matters. */
function readName(bytes: Buffer, start: number): string {
  let end = start;
  while (end < bytes.length && end - start < longestActiveName && !delimiters.has(bytes[end]!))
    end++;
  return bytes.toString("latin1", start, end);
}

/** The engine escapes parentheses inside of a string. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== close) at += bytes[at] === escape ? 2 : 1;
  return at;
}

function startsWith(bytes: Buffer, at: number, word: string): boolean {
  return (
    bytes[at] === word.charCodeAt(0) && bytes.toString("latin1", at, at + word.length) === word
  );
}

import yauzl, { type Entry, type Options, type ZipFile } from "yauzl";
import type { Readable } from "node:stream";

/** Reads Office files as packages of parts (ECMA-376 part 2, Open Packaging Conventions). */

// The published types describe an older version, without promises.
export type Zip = ZipFile & {
  eachEntry: () => AsyncIterable<Entry>;
  openReadStreamPromise: (entry: Entry) => Promise<Readable>;
};
const { openPromise } = yauzl as unknown as {
  openPromise: (path: string, options: Options) => Promise<Zip>;
};

/**
 * Opens a zip archive.
 *
 * @returns null if its table of contents cannot be read
 */
export function openZip(path: string): Promise<Zip | null> {
  return openPromise(path, { autoClose: false, validateEntrySizes: true }).catch(() => null);
}

/** The size limit in bytes for parts that describe a package. */
export const maxDescriptionBytes = 1_048_576;

/** The main part's name in files of Word itself and of most programs. */
const usualMainPart = "word/document.xml";
const packageRelationships = "_rels/.rels";

type MainPart = Entry | "missing" | "encrypted" | null;

/**
 * Finds the main part of a package: the target of its officeDocument relationship (part 1, 11.3), or the part with the
 * usual name if the package names none.
 *
 * @returns "missing" if the package names a part that it does not contain; null if it has no main part
 */
export async function findMainPart(zip: Zip, entries: readonly Entry[]): Promise<MainPart> {
  const relationships = findPart(entries, packageRelationships);
  if (relationships?.isEncrypted()) return "encrypted";
  const targets = relationships
    ? parseRelationships(removeXmlComments(await readXml(zip, relationships, maxDescriptionBytes)))
        // The transitional and the strict namespace have the same ending.
        .filter((one) => /\/officeDocument$/i.test(one.get("Type") ?? ""))
    : [];
  const [target] = targets;
  if (!target) return findPart(entries, usualMainPart) ?? null;
  if (target.get("TargetMode") === "External") return "missing";
  const name = normalizePartName(target.get("Target") ?? "");
  return (name !== null && findPart(entries, name)) || "missing";
}

/** Finds a part by its name, which is not case-sensitive (part 2, 6.2.2.3). */
export function findPart(entries: readonly Entry[], name: string): Entry | undefined {
  const expected = normalizePartName(name);
  return entries.find(({ fileName }) => normalizePartName(fileName) === expected);
}

/** Normalizes a part's name. Returns null for a name outside the package. */
function normalizePartName(reference: string): string | null {
  const path = decodePercents(reference.trim().replaceAll("\\", "/"));
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return null;
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join("/").normalize("NFC").toLowerCase();
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses the attributes of each relationship in a relationships part. */
export function parseRelationships(xml: string): Map<string, string>[] {
  const tags = xml.matchAll(/<(?:[\w.-]+:)?Relationship\s((?:[^>"']|"[^"]*"|'[^']*')*)>/g);
  return [...tags].map(([, attributes = ""]) => {
    const relationship = new Map<string, string>();
    for (const [, name = "", one, two] of attributes.matchAll(
      /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
    )) {
      relationship.set(name, decodeXmlEntities(one ?? two ?? ""));
    }
    return relationship;
  });
}

/** Removes comments by splitting the text, in linear time even for a comment without an end. */
function removeXmlComments(xml: string): string {
  const [first = "", ...others] = xml.split("<!--");
  return first + others.map((part) => part.split("-->").slice(1).join("-->")).join("");
}

const namedCharacters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function decodeXmlEntities(text: string): string {
  return text.replace(
    /&(?:#(x?)([0-9a-f]{1,7})|(amp|lt|gt|quot|apos));/gi,
    (whole, hex: string, digits: string | undefined, name: string | undefined) => {
      if (name) return namedCharacters[name.toLowerCase()]!;
      const code = Number.parseInt(digits!, hex ? 16 : 10);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}

/**
 * Finds the local name of a document's root element: `<w:document>` → "document".
 *
 * @param start the start of the document
 * @returns null if it isn't XML
 */
export function findRootElement(start: string): string | null {
  const root = /^\uFEFF?(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*<(?:[\w.-]+:)?([\w.-]+)[\s/>]/;
  return root.exec(start)?.[1] ?? null;
}

/** Reads the first bytes of a part as text. */
export async function readXml(zip: Zip, entry: Entry, length: number): Promise<string> {
  const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    read += chunk.length;
    if (read >= length) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, length);
  return new TextDecoder(detectEncoding(bytes)).decode(bytes);
}

function detectEncoding([first, second]: Buffer): string {
  if (first === 0xff || second === 0) return "utf-16le";
  return first === 0xfe || first === 0 ? "utf-16be" : "utf-8";
}

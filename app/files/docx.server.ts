import type { Readable } from "node:stream";
import yauzl, { type Entry, type Options, type ZipFile } from "yauzl";
import { type Finding, flaws } from "./finding.ts";

// The published types describe an older version, without promises.
type Zip = ZipFile & {
  eachEntry: () => AsyncIterable<Entry>;
  openReadStreamPromise: (entry: Entry) => Promise<Readable>;
};
const { openPromise } = yauzl as unknown as {
  openPromise: (path: string, options: Options) => Promise<Zip>;
};

const maxEntries = 10_000;
const maxEntryBytes = 200 * 1_048_576;
/** Text shrinks to a twentieth, empty tables to a hundredth; a bomb shrinks to a thousandth. */
const maxRatio = 100;
/** Small documents with a blank picture exceed the ratio honestly. */
const alwaysAllowedBytes = 16 * 1_048_576;
const xmlStartBytes = 4096;

const mainPart = "word/document.xml";
const macroPart = "word/vbaProject.bin";

/**
 * Whether a zip archive is a Word document, and one that may be opened: the table of contents is
 * read whole, of its parts only the beginning of the main one.
 */
export async function inspectDocx(path: string, size: number): Promise<Finding | null> {
  const options = { autoClose: false, validateEntrySizes: true };
  // What yauzl refuses, here and below, is bytes that do not fit together.
  const zip = await openPromise(path, options).catch(() => null);
  if (!zip) return { kind: "docx", flaw: flaws.incomplete };
  try {
    return await inspectEntries(zip, size);
  } catch {
    return { kind: "docx", flaw: flaws.incomplete };
  } finally {
    zip.close();
  }
}

async function inspectEntries(zip: Zip, size: number): Promise<Finding | null> {
  if (zip.entryCount > maxEntries) return { kind: "docx", flaw: flaws.oversized };
  const limit = Math.max(alwaysAllowedBytes, size * maxRatio);
  let main: Entry | null = null;
  let hasMacros = false;
  let compressed = 0;
  let uncompressed = 0;

  for await (const entry of zip.eachEntry()) {
    compressed += entry.compressedSize;
    uncompressed += entry.uncompressedSize;
    if (entry.uncompressedSize > maxEntryBytes || uncompressed > limit) {
      return { kind: "docx", flaw: flaws.oversized };
    }
    if (entry.fileName === mainPart) main ??= entry;
    if (entry.fileName === macroPart) hasMacros = true;
  }

  if (!main) return null;
  if (main.isEncrypted()) return { kind: "docx", flaw: flaws.password };
  // Parts that share bytes are how a small archive hides a large one.
  if (compressed > size || !(await isXml(zip, main))) {
    return { kind: "docx", flaw: flaws.incomplete };
  }
  return hasMacros ? { kind: "docx", flaw: flaws.macros } : { kind: "docx" };
}

async function isXml(zip: Zip, entry: Entry): Promise<boolean> {
  const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= xmlStartBytes) break;
  }
  const start = Buffer.concat(chunks).subarray(0, xmlStartBytes);
  const text = start.toString(start[0] === 0xff && start[1] === 0xfe ? "utf16le" : "utf8");
  return /^\uFEFF?\s*<(?:\?xml\s|[A-Za-z]+:document[\s>])/.test(text);
}

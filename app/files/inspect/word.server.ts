import CFB from "cfb";
import type { Entry } from "yauzl";
import { readFile, stat } from "node:fs/promises";
import { type Finding, fileProblems } from "../finding.ts";
import {
  findMainPart,
  findPart,
  maxDescriptionBytes,
  openZip,
  parseRelationships,
  readXml,
  findRootElement,
  type Zip,
} from "./office-package.server.ts";

/** [MS-DOC] 2.5.2: the bit of the file information block for an encrypted document. */
const encryptedBit = 0x0100;
const flagsOffset = 10;

/** Deeper entries belong to embedded documents. */
const root = "Root Entry/";

/** [MS-DOC] 2.1.9: the storage of a document's macros. */
const macroStorage = /\/(?:Macros|_VBA_PROJECT(?:_CUR)?|VBA)\//i;

/**
 * Checks whether an OLE compound file ([MS-CFB]) is an old Word document, or the encrypted container of a new one.
 *
 * @param originalName the name from the browser
 */
export async function inspectWordContainer(
  path: string,
  originalName: string,
): Promise<Finding | null> {
  const container = readContainer(await readFile(path));
  if (!container) return { kind: "doc", problem: fileProblems.incomplete };
  const find = (name: string) => container.FileIndex[container.FullPaths.indexOf(root + name)];
  if (find("EncryptedPackage")) {
    // Only the name shows if the encrypted file is a document or a workbook.
    const isOther = /\.(?:xls|ppt|vsd|mpp)[a-z]?$/i.test(originalName.trim());
    return isOther ? null : { kind: "docx", problem: fileProblems.password };
  }
  const document = find("WordDocument");
  if (!document) return null;
  const start = Buffer.from(document.content ?? []);
  if (start.length < Math.max(document.size, flagsOffset + 2)) {
    return { kind: "doc", problem: fileProblems.incomplete };
  }
  if (start.readUInt16LE(flagsOffset) & encryptedBit)
    return { kind: "doc", problem: fileProblems.password };
  const hasMacros = container.FullPaths.some((name) => macroStorage.test(name));
  return hasMacros ? { kind: "doc", problem: fileProblems.macros } : { kind: "doc" };
}

/** Reads a container, or returns null if it is damaged. */
function readContainer(bytes: Buffer): CFB.CFB$Container | null {
  try {
    return CFB.read(bytes, { type: "buffer" });
  } catch {
    return null;
  }
}

const maxEntries = 10_000;
const maxEntryBytes = 200 * 1_048_576;
/** Text compresses to 1/20, empty tables to 1/100, a zip bomb to 1/1000. */
const maxRatio = 100;
/** Small documents with a blank picture may exceed the ratio. */
const alwaysAllowedBytes = 16 * 1_048_576;
const xmlStartBytes = 4096;
const contentTypes = "[Content_Types].xml";

/**
 * Checks whether a zip archive is a Word document that opens. It reads the table of contents, the start of the main
 * part and the relationships.
 */
export async function inspectDocx(path: string): Promise<Finding | null> {
  const { size } = await stat(path);
  // Errors from yauzl, here and below, mean damaged bytes.
  const zip = await openZip(path);
  if (!zip) return { kind: "docx", problem: fileProblems.incomplete };
  try {
    return await inspectEntries(zip, size);
  } catch {
    return { kind: "docx", problem: fileProblems.incomplete };
  } finally {
    zip.close();
  }
}

async function inspectEntries(zip: Zip, size: number): Promise<Finding | null> {
  if (zip.entryCount > maxEntries) return { kind: "docx", problem: fileProblems.oversized };
  const limit = Math.max(alwaysAllowedBytes, size * maxRatio);
  const entries: Entry[] = [];
  let compressed = 0;
  let uncompressed = 0;
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    compressed += entry.compressedSize;
    uncompressed += entry.uncompressedSize;
    if (entry.uncompressedSize > maxEntryBytes || uncompressed > limit) {
      return { kind: "docx", problem: fileProblems.oversized };
    }
  }

  const main = await findMainPart(zip, entries);
  if (main === null) return null;
  if (main === "encrypted") return { kind: "docx", problem: fileProblems.password };
  if (main === "missing") return { kind: "docx", problem: fileProblems.incomplete };
  if (main.isEncrypted()) return { kind: "docx", problem: fileProblems.password };
  // A small archive could hide a large one with parts that share bytes.
  if (compressed > size) return { kind: "docx", problem: fileProblems.incomplete };
  const root = findRootElement(await readXml(zip, main, xmlStartBytes));
  if (root === null) return { kind: "docx", problem: fileProblems.incomplete };
  // Workbooks and presentations are packages too.
  if (root !== "document") return null;
  if (await hasMacros(zip, entries)) return { kind: "docx", problem: fileProblems.macros };
  if (await hasRemoteParts(zip, entries)) return { kind: "docx", problem: fileProblems.remote };
  return { kind: "docx" };
}

async function hasMacros(zip: Zip, entries: Entry[]): Promise<boolean> {
  if (entries.some(({ fileName }) => /vba(?:Project|Data)\.(?:bin|xml)$/i.test(fileName)))
    return true;
  const types = findPart(entries, contentTypes);
  return (
    types !== undefined &&
    /macroEnabled|vbaProject/i.test(await readXml(zip, types, maxDescriptionBytes))
  );
}

async function hasRemoteParts(zip: Zip, entries: Entry[]): Promise<boolean> {
  for (const entry of entries) {
    if (!/\.rels$/i.test(entry.fileName)) continue;
    if (entry.uncompressedSize > maxDescriptionBytes) return true;
    if (hasRemoteRelationship(await readXml(zip, entry, maxDescriptionBytes))) return true;
  }
  return false;
}

/** Checks whether relationships refer to anything on another computer except hyperlinks. */
function hasRemoteRelationship(relationships: string): boolean {
  for (const relationship of parseRelationships(relationships)) {
    if (relationship.get("TargetMode") !== "External") continue;
    if (relationship.get("Type")?.endsWith("/hyperlink")) continue;
    if (!isOnOwnDisk(relationship.get("Target") ?? "")) return true;
  }
  return false;
}

/** Checks for a local path: a document from a template contains the template's path on its author's computer. */
function isOnOwnDisk(target: string): boolean {
  const path = target.replace(/^file:\/\/(?:localhost)?\/(?![/\\])/i, "");
  return /^[a-z]:[\\/]/i.test(path) || !/^[a-z][a-z0-9+.-]*:|^[/\\]{2}/i.test(path);
}

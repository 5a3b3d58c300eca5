import type { FileHandle } from "node:fs/promises";
import { fileTypeFromBuffer } from "file-type";
import { findBytes, readAt, windows } from "./file-bytes.server.ts";
import { type Finding, flaws } from "./finding.ts";
import { opensWithoutPassword } from "./pdf-password.server.ts";
import {
  dictionaryLimit,
  nameOf,
  type PdfDictionary,
  type PdfReference,
  readDictionary,
  referenceOf,
} from "./pdf-syntax.server.ts";

/** Readers look for the signature this far. */
const signatureRange = 1024;
/** A file that holds more has been made to keep the scan busy. */
const candidateLimit = 200;

/**
 * Whether an open file is a PDF that a reader can open. The signature may come after a little
 * garbage, as mail programs leave it, but not after what makes the file something else; the end
 * mark may be missing.
 *
 * @param head the first 4 KB of the file
 */
export async function inspectPdf(
  file: FileHandle,
  size: number,
  head: Buffer,
): Promise<Finding | null> {
  const start = head.subarray(0, signatureRange).indexOf("%PDF-");
  if (start < 0 || (start > 0 && (await isSomethingElse(head)))) return null;

  const trailer = (await trailerByPointer(file, size, start)) ?? (await trailerByScan(file));
  const encryption = trailer?.get("Encrypt");
  if (!trailer || encryption === undefined || encryption === null) return { kind: "pdf" };

  // A file locked only against printing or editing opens for everyone, and office programs make many of them: it passes.
  const reference = referenceOf(encryption);
  const dictionary = reference ? await readEncryption(file, reference) : encryption;
  const ids = trailer.get("ID");
  const id = Array.isArray(ids) && Buffer.isBuffer(ids[0]) ? ids[0] : Buffer.alloc(0);
  const opens = dictionary instanceof Map && opensWithoutPassword(dictionary, id);
  return opens ? { kind: "pdf" } : { kind: "pdf", flaw: flaws.password };
}

async function isSomethingElse(head: Buffer): Promise<boolean> {
  const markupOrScript = /^(?:\xef\xbb\xbf)?\s*(?:<|#!)/;
  if (markupOrScript.test(head.toString("latin1", 0, signatureRange))) return true;
  const type = await fileTypeFromBuffer(head);
  return type !== undefined && type.ext !== "pdf";
}

/** The newest trailer, where the end of the file says it is. */
async function trailerByPointer(
  file: FileHandle,
  size: number,
  start: number,
): Promise<PdfDictionary | null> {
  const tail = (await readAt(file, Math.max(0, size - 2048), 2048)).toString("latin1");
  const offset = Number(/.*startxref\s+(\d{1,12})/s.exec(tail)?.[1] ?? Number.NaN);
  if (Number.isNaN(offset)) return null;
  // Offsets count from the signature; some programs count from the start of the file.
  return (await trailerAt(file, start + offset)) ?? (await trailerAt(file, offset));
}

async function trailerAt(file: FileHandle, position: number): Promise<PdfDictionary | null> {
  const bytes = await readAt(file, position, dictionaryLimit);
  const begin = bytes.toString("latin1", 0, 100);
  const object = /^\s*\d+\s+\d+\s+obj/.exec(begin);
  if (object) return crossReferenceStream(bytes, object[0].length);
  if (!/^\s*xref/.test(begin)) return null;
  const trailer = await findBytes(file, "trailer", position);
  if (trailer < 0) return null;
  return readDictionary(await readAt(file, trailer, dictionaryLimit), "trailer".length);
}

/** A trailer that names an encryption, anywhere: for a file whose end is damaged or missing. */
async function trailerByScan(file: FileHandle): Promise<PdfDictionary | null> {
  let candidates = 0;
  for await (const { bytes } of windows(file, 0, dictionaryLimit)) {
    const text = bytes.toString("latin1");
    for (const { 0: found, index } of text.matchAll(/trailer(?=\s{0,9}<<)|\/XRef\b/g)) {
      if (++candidates > candidateLimit) return null;
      const trailer =
        found === "trailer"
          ? readDictionary(bytes, index + found.length)
          : crossReferenceStream(bytes, bytes.lastIndexOf("obj", index) + "obj".length);
      if (trailer?.has("Encrypt")) return trailer;
    }
  }
  return null;
}

/** The dictionary of a cross-reference stream, which serves as a trailer. */
function crossReferenceStream(bytes: Buffer, at: number): PdfDictionary | null {
  const dictionary = readDictionary(bytes, at);
  return nameOf(dictionary?.get("Type")) === "XRef" ? dictionary : null;
}

/** The dictionary with the given number; it is never compressed and always names its handler. */
async function readEncryption(
  file: FileHandle,
  { object, generation }: PdfReference,
): Promise<PdfDictionary | null> {
  const heading = new RegExp(`(?<!\\d)${object}\\s{1,9}${generation}\\s{1,9}obj\\b`, "g");
  let candidates = 0;
  for await (const { bytes } of windows(file, 0, dictionaryLimit)) {
    for (const { 0: found, index } of bytes.toString("latin1").matchAll(heading)) {
      if (++candidates > candidateLimit) return null;
      const dictionary = readDictionary(bytes, index + found.length);
      if (dictionary?.has("Filter")) return dictionary;
    }
  }
  return null;
}

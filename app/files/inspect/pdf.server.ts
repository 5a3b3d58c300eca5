import { readFile } from "node:fs/promises";
import { type Finding, fileProblems } from "../finding.ts";
import { openPdfium, type PdfDocument, writePdfAgain } from "./pdfium.server.ts";

/** In bytes, enough to detect every other type. */
const headSize = 4100;

/**
 * Checks whether a file is a PDF whose pages all open without a password. Some garbage before the signature is
 * accepted, as some email programs add it, but not another file type. A PDF that is only locked against printing or
 * editing opens.
 *
 * @param options rewrite: true to check the file as rewritten by the engine
 */
export async function inspectPdf(path: string, { rewrite = false } = {}): Promise<Finding | null> {
  const bytes = await readFile(path);
  if (!(await isPdf(bytes))) return null;

  const pdfium = await openPdfium();
  try {
    const document = pdfium.open((rewrite && (await writePdfAgain(bytes))) || bytes);
    if (document === "password") return { kind: "pdf", problem: fileProblems.password };
    if (document === "damaged" || !hasAllPages(document, bytes)) {
      return { kind: "pdf", problem: fileProblems.incomplete };
    }
    return { kind: "pdf", active: hasActiveContent(document.rewritten()) };
  } catch (error) {
    const failure = pdfium.failureOf(error);
    if (failure === null) throw error;
    if (failure === "oversized") return { kind: "pdf", problem: fileProblems.oversized };
    return { kind: "pdf", problem: fileProblems.crashed, crashed: true };
  }
}

/** Checks by its start whether a file can be a PDF, possibly after some garbage. */
export async function isPdf(bytes: Buffer): Promise<boolean> {
  const startsAsPdf = bytes.toString("latin1", 0, 5) === "%PDF-";
  return startsAsPdf || !(await isSomethingElse(bytes.subarray(0, headSize)));
}

async function isSomethingElse(head: Buffer): Promise<boolean> {
  const markupOrScript = /^(?:\xef\xbb\xbf)?\s*(?:<|#!)/;
  if (markupOrScript.test(head.toString("latin1"))) return true;
  // Rarely needed, and as slow to load as everything else.
  const { fileTypeFromBuffer } = await import("file-type");
  const type = await fileTypeFromBuffer(head);
  return type !== undefined && type.ext !== "pdf";
}

/** Checks whether a document is complete and each of its pages can be read. */
export function hasAllPages(document: PdfDocument, bytes: Buffer): boolean {
  if (document.pageCount === 0 || isCutOff(bytes)) return false;
  for (let page = 0; page < document.pageCount; page++) {
    if (!document.loadsPage(page)) return false;
  }
  return true;
}

/**
 * Checks whether a file ends before its cross-reference. The engine would repair it without the missing part.
 */
function isCutOff(bytes: Buffer): boolean {
  const object = findLastObject(bytes);
  return !["startxref", "trailer", "/XRef"].some((mark) => bytes.includes(mark, object, "latin1"));
}

/** Finds the position of the last "1 0 obj". */
function findLastObject(bytes: Buffer): number {
  let at = bytes.lastIndexOf("obj");
  while (at > 0 && !/\d\s+\d+\s+$/.test(bytes.toString("latin1", Math.max(0, at - 30), at))) {
    at = bytes.lastIndexOf("obj", at - 1);
  }
  return at;
}

/** PDF names for scripts, launch actions and embedded files. */
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
 * Checks whether a PDF contains scripts, launch actions or embedded files anywhere: in the catalog, a page, a
 * field, a bookmark or a link.
 *
 * @param rewritten the document as rewritten by the engine, with every object listed in the table at the end and no
 *   escapes in names. Without a readable table it counts as active.
 */
function hasActiveContent(rewritten: Buffer): boolean {
  const offsets = readOffsets(rewritten);
  return offsets === null || offsets.some((offset) => hasActiveName(rewritten, offset));
}

/** Reads the offsets of all objects from the cross-reference table, or returns null without one. */
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

/** Checks the names of an object, but not its strings or its stream. */
function hasActiveName(bytes: Buffer, offset: number): boolean {
  for (let at = offset; at < bytes.length; at++) {
    if (bytes[at] === slash) {
      const name = readName(bytes, at + 1);
      if (activeNames.has(name)) return true;
      at += name.length;
    } else if (bytes[at] === open) {
      at = findEndOfString(bytes, at);
    } else if (hasWordAt(bytes, at, "endobj") || hasWordAt(bytes, at, "stream")) {
      return false;
    }
  }
  return false;
}

const delimiters = new Set(Buffer.from("\0\t\n\f\r ()<>[]{}/%"));
const maxActiveNameLength = 20;

/** Reads a name up to the longest active name. */
function readName(bytes: Buffer, start: number): string {
  let end = start;
  while (end < bytes.length && end - start < maxActiveNameLength && !delimiters.has(bytes[end]!))
    end++;
  return bytes.toString("latin1", start, end);
}

/** Finds the end of a string. The engine escapes parentheses inside strings. */
function findEndOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== close) at += bytes[at] === escape ? 2 : 1;
  return at;
}

function hasWordAt(bytes: Buffer, at: number, word: string): boolean {
  return (
    bytes[at] === word.charCodeAt(0) && bytes.toString("latin1", at, at + word.length) === word
  );
}

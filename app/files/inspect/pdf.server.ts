import { readFile } from "node:fs/promises";
import { fileTypeFromBuffer } from "file-type";
import { hasActiveContent } from "./active-content.server.ts";
import { type Finding, flaws } from "./finding.ts";
import { openPdfium, type PdfDocument } from "./pdfium.server.ts";

/** In bytes; enough to know every other type by. */
const headSize = 4100;

/**
 * Whether a file is a PDF that a reader can open: the engine opens it without a password, and every
 * page of it. Its signature may come after a little garbage, as mail programs leave it, but not after
 * what makes the file something else. What is locked against printing or editing only, opens.
 */
export async function inspectPdf(path: string): Promise<Finding | null> {
  const bytes = await readFile(path);
  const startsAsPdf = bytes.toString("latin1", 0, 5) === "%PDF-";
  if (!startsAsPdf && (await isSomethingElse(bytes.subarray(0, headSize)))) return null;

  const pdfium = await openPdfium();
  try {
    const document = pdfium.open(bytes);
    if (document === "password") return { kind: "pdf", flaw: flaws.password };
    if (document === "damaged" || !isWhole(document, bytes)) {
      return { kind: "pdf", flaw: flaws.incomplete };
    }
    return { kind: "pdf", active: hasActiveContent(document.rewritten()) };
  } catch (error) {
    // The engine ends itself when it is given no more memory.
    if (error instanceof WebAssembly.RuntimeError) return { kind: "pdf", flaw: flaws.oversized };
    throw error;
  }
}

async function isSomethingElse(head: Buffer): Promise<boolean> {
  const markupOrScript = /^(?:\xef\xbb\xbf)?\s*(?:<|#!)/;
  if (markupOrScript.test(head.toString("latin1"))) return true;
  const type = await fileTypeFromBuffer(head);
  return type !== undefined && type.ext !== "pdf";
}

function isWhole(document: PdfDocument, bytes: Buffer): boolean {
  if (document.pageCount === 0 || isCutOff(bytes)) return false;
  for (let page = 0; page < document.pageCount; page++) {
    if (!document.loadsPage(page)) return false;
  }
  return true;
}

/**
 * Whether a file ends before its cross-reference: nothing after its last object closes it. The engine
 * would repair it, and leave out what is missing.
 */
function isCutOff(bytes: Buffer): boolean {
  const object = lastObject(bytes);
  return !["startxref", "trailer", "/XRef"].some((mark) => bytes.includes(mark, object, "latin1"));
}

/** Where the last "1 0 obj" stands. */
function lastObject(bytes: Buffer): number {
  let at = bytes.lastIndexOf("obj");
  while (at > 0 && !/\d\s+\d+\s+$/.test(bytes.toString("latin1", Math.max(0, at - 30), at))) {
    at = bytes.lastIndexOf("obj", at - 1);
  }
  return at;
}

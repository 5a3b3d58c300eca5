import { fileProblems } from "../finding.ts";
import type { PageText } from "./page-text.ts";
import { hasAllPages, isPdf } from "./pdf.server.ts";
import { openPdfium, type PdfDocument, writePdfAgain } from "./pdfium.server.ts";

type ReadPdf =
  | { pages: ({ number: number } & PageText)[] }
  /** A complete sentence. `crashed` is true if the engine crashed. */
  | { problem: string; crashed?: true };

/** The signature of a PDF is in this range of its first bytes. */
const signatureRange = 1024;

/**
 * Reads the text of all pages of a PDF.
 *
 * @param options maxPages: longer documents are refused; rewrite: true to read the file as rewritten by the engine
 */
export async function readPdf(
  bytes: Buffer,
  { maxPages, rewrite = false }: { maxPages: number; rewrite?: boolean },
): Promise<ReadPdf> {
  const isSigned = bytes.subarray(0, signatureRange).includes("%PDF-");
  if (!isSigned || !(await isPdf(bytes))) return { problem: fileProblems.notPdf };
  const pdfium = await openPdfium();
  try {
    const document = pdfium.open((rewrite && (await writePdfAgain(bytes))) || bytes);
    if (document === "password") return { problem: fileProblems.password };
    if (document === "damaged") return { problem: fileProblems.incomplete };
    const { pageCount } = document;
    if (pageCount > maxPages)
      return { problem: `This file has ${pageCount} pages. We check files of up to ${maxPages}.` };
    if (!hasAllPages(document, bytes)) return { problem: fileProblems.incomplete };
    return { pages: listPdfPages(document) };
  } catch (error) {
    const failure = pdfium.failureOf(error);
    if (failure === null) throw error;
    if (failure === "oversized") return { problem: fileProblems.oversized };
    return { problem: fileProblems.crashed, crashed: true };
  }
}

function listPdfPages({ pageCount, openPage }: PdfDocument) {
  return Array.from({ length: pageCount }, (_, index) => {
    const page = openPage(index)!;
    const text = page.text();
    page.close();
    return { number: index + 1, ...text };
  });
}

import { PDFDocument } from "@cantoo/pdf-lib";
import { openBook } from "../../annotations/pdf/book.server.ts";
import {
  column,
  drawFooters,
  type TextPages,
  createTextPages,
} from "../../annotations/pdf/text-pages.server.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";

/** The start of a fact's value, in points from the edge of the column. */
const indent = 130;

/** Renders a receipt, an invoice or a credit note as a PDF. @returns it in Base64 */
export async function renderReceiptPdf(content: PaymentDocument): Promise<{ pdf: string }> {
  const document = await PDFDocument.create();
  const book = await openBook(document);
  const pages = createTextPages(book, (size) => document.addPage(size));
  drawDocument(pages, content);
  const { title, number, productName } = content;
  drawFooters(book, pages.pages(), `${title} ${number} · ${productName}`);
  book.finish();
  document.setTitle(`${title} ${number} - ${productName}`);
  document.setProducer(productName);
  const bytes = await document.save({ objectsPerTick: Infinity, updateFieldAppearances: false });
  return { pdf: Buffer.from(bytes).toString("base64") };
}

function drawDocument(pages: TextPages, content: PaymentDocument): void {
  const { title, productName, facts, amounts, end } = content;
  pages.paragraph(productName, "heading", { colour: "soft" });
  pages.space(2);
  pages.paragraph(title, "title");
  pages.space(22);
  for (const { name, value } of facts) {
    pages.aside({ text: name }, "body", { x: column.left });
    pages.paragraph(value, "body", { indent });
    pages.space(7);
  }
  pages.space(16);
  drawRule(pages);
  for (const { label, amount, isTotal } of amounts) {
    if (isTotal) drawRule(pages);
    drawAmountLine(pages, label, amount);
  }
  pages.space(34);
  pages.paragraph(end, "note", { colour: "soft", width: 400 });
}

/** Draws a description with an amount at the right edge. */
function drawAmountLine(pages: TextPages, description: string, amount: string): void {
  pages.space(8);
  const right = column.left + column.width;
  pages.aside({ text: amount, style: "bold" }, "strong", { right });
  pages.paragraph(description, "body", { width: 350 });
  pages.space(8);
}

function drawRule(pages: TextPages): void {
  pages.drawing().rectangle(column.left, pages.y(), column.width, 0.75, "line");
}

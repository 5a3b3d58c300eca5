import { PDFDocument } from "@cantoo/pdf-lib";
import { openBook } from "../../annotations/pdf/book.server.ts";
import {
  column,
  drawFooters,
  type TextPages,
  createTextPages,
} from "../../annotations/pdf/text-pages.server.ts";
import { listReceiptFacts, formatReceiptEnd, type Receipt } from "./rules.ts";

/** The start of a fact's value, in points from the edge of the column. */
const indent = 130;

/** Renders a receipt as a PDF. @returns the document in Base64 */
export async function renderReceiptPdf(receipt: Receipt): Promise<{ pdf: string }> {
  const document = await PDFDocument.create();
  const book = await openBook(document);
  const pages = createTextPages(book, (size) => document.addPage(size));
  drawReceipt(pages, receipt);
  const { orderId, productName } = receipt;
  drawFooters(book, pages.pages(), `Receipt ${orderId} · ${productName}`);
  book.finish();
  document.setTitle(`Receipt ${orderId} - ${productName}`);
  document.setProducer(productName);
  const bytes = await document.save({ objectsPerTick: Infinity, updateFieldAppearances: false });
  return { pdf: Buffer.from(bytes).toString("base64") };
}

function drawReceipt(pages: TextPages, receipt: Receipt): void {
  const { productName, service, amount, refund } = receipt;
  pages.paragraph(productName, "heading", { colour: "soft" });
  pages.space(2);
  pages.paragraph("Receipt", "title");
  pages.space(22);
  for (const { name, value } of listReceiptFacts(receipt)) {
    pages.aside({ text: name }, "body", { x: column.left });
    pages.paragraph(value, "body", { indent });
    pages.space(7);
  }
  pages.space(16);
  drawRule(pages);
  drawAmountLine(pages, service, amount);
  drawRule(pages);
  drawAmountLine(pages, "Paid", amount);
  if (refund) drawAmountLine(pages, refund.label, `−${refund.amount}`);
  pages.space(34);
  pages.paragraph(formatReceiptEnd(receipt), "note", { colour: "soft", width: 400 });
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

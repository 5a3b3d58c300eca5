import { criteria } from "../rubric.ts";
import { severities, type Severity } from "../remarks/rules.ts";
import { countBySeverity, type NumberedRemark } from "../result/marked.ts";
import type { AnnotatedSheet } from "./annotate-job.ts";
import type { Book } from "../pdf/book.server.ts";
import { drawSign, hang, measure, setHeading } from "./summary-pages.server.ts";
import { column, type TextPages } from "../pdf/text-pages.server.ts";

/** All remarks in full, under what they are pinned to, each linked with its pin. */
export function setRemarks(
  book: Book,
  pages: TextPages,
  sheets: AnnotatedSheet[],
  placeless: NumberedRemark[],
): void {
  book.place("remarks", pages.page(), column.left, pages.y() + 60);
  pages.paragraph("Remarks", "title");
  pages.space(8);
  setKey(pages, [...sheets.flatMap(({ remarks }) => remarks), ...placeless]);
  for (const sheet of sheets.filter(({ remarks }) => remarks.length > 0)) {
    setHeading(pages, sheet.title, 120);
    if (sheet.caption) {
      pages.paragraph(sheet.caption, "note", { colour: "faint", width: measure });
      pages.space(6);
    }
    for (const remark of sheet.remarks) setRemark(book, pages, remark);
  }
  if (placeless.length === 0) return;
  setHeading(pages, "Without a place", 120);
  const why = "What these were pinned to is not shown any more. What they say still holds.";
  pages.paragraph(why, "note", { colour: "faint" });
  pages.space(6);
  for (const remark of placeless) setRemark(book, pages, remark);
}

/** What the signs mean, of those that stand in this review. */
function setKey(pages: TextPages, remarks: NumberedRemark[]): void {
  const counts = countBySeverity(remarks);
  const given = (Object.keys(severities) as Severity[]).filter((severity) => counts[severity] > 0);
  const step = column.width / 4;
  for (const [index, severity] of given.entries()) {
    const x = column.left + index * step;
    pages.drawing().sign(x + 6, pages.y() - 7, 13, severity, null);
    pages.aside({ text: severities[severity].label }, "note", { x: x + 18 });
  }
  pages.space(14);
}

function setRemark(book: Book, pages: TextPages, remark: NumberedRemark): void {
  const { number, severity, criterion, text } = remark;
  const { label } = severities[severity];
  pages.ensure(58);
  book.place(`remark-${number}`, pages.page(), column.left, pages.y() + 24);
  drawSign(book, pages, severity, number, `pin-${number}`);
  const back = { text: "To its place", link: { to: `pin-${number}`, says: "To its place" } };
  if (book.destination(`pin-${number}`))
    pages.aside(back, "note", { right: column.left + column.width });
  const about = criterion
    ? [{ text: `  ${criteria[criterion].label}`, style: "text" as const, colour: "soft" as const }]
    : [];
  pages.paragraph([{ text: label }, ...about], "strong", { indent: hang, width: measure - hang });
  pages.space(1);
  pages.paragraph(text, "body", { indent: hang, width: measure - hang });
  setWording(pages, remark);
  pages.space(15);
}

/** The words that it is about, and those that would be better. */
function setWording(pages: TextPages, { quote, suggestion }: NumberedRemark): void {
  if (quote) setWords(pages, suggestion ? "Before" : "On the page", quote, suggestion !== null);
  if (suggestion) setWords(pages, quote ? "After" : "Suggestion", suggestion, false);
}

const labelWidth = 62;

function setWords(pages: TextPages, label: string, words: string, isStruck: boolean): void {
  pages.space(5);
  pages.ensure(28);
  pages.aside({ text: label, colour: "faint" }, "note", { x: column.left + hang });
  const place = { indent: hang + labelWidth, width: measure - hang - labelWidth };
  pages.paragraph(words, "note", { ...place, colour: isStruck ? "faint" : "ink", isStruck });
}

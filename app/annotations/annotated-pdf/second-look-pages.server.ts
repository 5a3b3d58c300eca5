/** The pages of a second look in a review's document: page pairs, then the outcome of each earlier remark. */
import type { PDFPage, PDFRef } from "@cantoo/pdf-lib";
import { type Book, severityColors } from "../pdf/book.server.ts";
import { column, type TextPages } from "../pdf/text-pages.server.ts";
import { formatSolvedCount, outcomes } from "../second-look/outcomes.ts";
import { criteria } from "../../reviews/rubric.ts";
import type { AnnotatedSecondLook, PairedPage } from "./annotate-job.ts";
import { drawHeading, drawSign, drawWording, hang, measure } from "./written-pages.server.ts";

/** A4 across, and the boxes of its two pages, in points. */
const sheet = { width: 841.89, height: 595.28 };
const margin = 40;
const gap = 24;
const captionHeight = 26;
const box = {
  width: (sheet.width - 2 * margin - gap) / 2,
  height: sheet.height - 2 * margin - captionHeight,
};

/** Embeds a picture of the job's folder, once; null if it cannot be read. */
export type EmbedPicture = (file: string) => Promise<PDFRef | null>;

/**
 * Draws each earlier page beside the new page, with the marks of the earlier remarks on both. A pair whose pictures
 * cannot be read is left out.
 *
 * @param nextPage returns an empty page, already in its place in the document
 */
export async function drawPagePairs(
  book: Book,
  { pairs }: AnnotatedSecondLook,
  embed: EmbedPicture,
  nextPage: (size: [number, number]) => PDFPage,
): Promise<void> {
  for (const { before, after } of pairs) {
    const sides: { page: PairedPage; refs: PDFRef[] }[] = [];
    for (const page of [before, after]) {
      const refs = [];
      for (const { file } of page.pictures) refs.push(await embed(file));
      sides.push({ page, refs: refs.filter((ref) => ref !== null) });
    }
    if (sides.some(({ page, refs }) => refs.length < page.pictures.length)) continue;
    const paper = nextPage([sheet.width, sheet.height]);
    if (!book.destination("second-look"))
      book.addDestination("second-look", paper, 0, sheet.height);
    for (const [index, { page, refs }] of sides.entries()) {
      const left = margin + index * (box.width + gap);
      drawCaption(book, paper, left, `${index === 0 ? "Before" : "After"}: ${page.title}`);
      drawPage(book, paper, left, page, refs);
    }
    for (const { id } of before.marks) book.addDestination(`pair-${id}`, paper, 0, sheet.height);
  }
}

function drawCaption(book: Book, paper: PDFPage, left: number, text: string): void {
  const shaped = book.faces.shape(text, "bold");
  book.drawOn(paper).text(left, sheet.height - margin - 10, shaped, 10.5, "ink");
}

function drawPage(book: Book, paper: PDFPage, left: number, page: PairedPage, refs: PDFRef[]) {
  const scale = Math.min(box.width / page.width, box.height / page.height);
  const [width, height] = [page.width * scale, page.height * scale];
  const top = sheet.height - margin - captionHeight;
  const drawing = book.drawOn(paper);
  let y = top;
  for (const [index, ref] of refs.entries()) {
    const share = page.pictures[index]!.height * height;
    y -= share;
    drawing.image(ref, left, y, width, share);
  }
  drawing.outline(left, top - height, width, height, "line", 0.6);
  const side = 17;
  const onWhole = page.marks.filter(({ area }) => area === null);
  for (const mark of page.marks) {
    const { id, area, number, severity } = mark;
    const x = area ? left + area.x * width : left + width - side * (0.8 + onWhole.indexOf(mark));
    const above = area ? top - area.y * height : top - side * 0.8;
    if (area && area.width > 0) {
      const high = area.height * height;
      drawing.outline(x, above - high, area.width * width, high, severityColors[severity], 1.2);
    }
    const [signX, signY] = [Math.max(left + side / 2, x), Math.min(top - side / 2, above)];
    drawing.sign(signX, signY, side, severity, number);
    const half = side / 2;
    book.link(
      paper,
      [signX - half, signY - half, signX + half, signY + half],
      `earlier-${id}`,
      `Earlier remark ${number}`,
    );
  }
}

/** Draws the outcome of each earlier remark, the open ones first, and the scores of both reviews. */
export function drawOutcomes(
  book: Book,
  pages: TextPages,
  { earlierOn, remarks, scores }: AnnotatedSecondLook,
): void {
  if (!book.destination("second-look"))
    book.addDestination("second-look", pages.page(), column.left, pages.y() + 60);
  const title = remarks.length > 0 ? formatSolvedCount(remarks) : "Second look";
  pages.paragraph(title, "title");
  pages.space(4);
  const about = `Compared with the review of ${earlierOn}`;
  pages.paragraph(about, "body", { colour: "soft" });
  for (const outcome of new Set(remarks.map((one) => one.outcome))) {
    drawHeading(pages, outcomes[outcome].label, 120);
    for (const one of remarks) if (one.outcome === outcome) drawOutcome(book, pages, one);
  }
  if (scores.length === 0) return;
  drawHeading(pages, "Scores before and now");
  for (const { criterion, before, after } of scores) {
    const text = `${criteria[criterion].label}: ${before}, now ${after} of 5`;
    pages.paragraph(text, "body", { width: measure });
  }
}

function drawOutcome(
  book: Book,
  pages: TextPages,
  { remark, from, kind, note }: AnnotatedSecondLook["remarks"][number],
): void {
  const { id, number, severity, criterion, text } = remark;
  const indented = { indent: hang, width: measure - hang };
  pages.ensure(58);
  book.addDestination(`earlier-${id}`, pages.page(), column.left, pages.y() + 24);
  drawSign(book, pages, severity, number, `pair-${id}`);
  if (book.destination(`pair-${id}`)) {
    const link = { to: `pair-${id}`, description: "Before and after" };
    pages.aside({ text: "Before and after", link }, "note", { right: column.left + column.width });
  }
  const about = [criterion && criteria[criterion].label, from && `From the ${from}`]
    .filter(Boolean)
    .map((part) => ({ text: `  ${part}`, style: "text" as const, colour: "soft" as const }));
  pages.paragraph([{ text: kind }, ...about], "strong", indented);
  pages.space(1);
  pages.paragraph(text, "body", indented);
  drawWording(pages, remark);
  if (note) {
    pages.space(5);
    pages.paragraph(note, "strong", indented);
  }
  pages.space(15);
}

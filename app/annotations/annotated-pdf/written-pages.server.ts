import type { Book } from "../pdf/book.server.ts";
import { column, type Span, type TextPages } from "../pdf/text-pages.server.ts";
import { severities, type Severity } from "../severities.ts";
import {
  countBySeverity,
  extractFirstSentence,
  selectFirstThings,
  formatFirstThingsTitle,
  type NumberedRemark,
} from "../marked.ts";
import {
  criteria,
  type Criterion,
  levelNames,
  type Part,
  partNames,
  type Scores,
} from "../../reviews/rubric.ts";
import type { AnnotatedContent, AnnotatedSheet } from "./annotate-job.ts";
import { countNoun } from "../../platform/count-noun.ts";

/** The indent of a text with a sign, in points. */
export const hang = 34;
/** The longest line in points that is easy to read. */
export const measure = 430;

/** Draws the summary of a review: first things, feedback, scores, and answers. */
export function drawSummary(
  book: Book,
  pages: TextPages,
  content: AnnotatedContent,
  remarks: NumberedRemark[],
): void {
  book.addDestination("summary", pages.page(), column.left, pages.y() + 60);
  pages.paragraph(content.title, "title");
  pages.space(4);
  for (const line of [formatOrigin(content), formatRemarkCounts(remarks)])
    pages.paragraph(line, "body", { colour: "soft" });
  drawFeedback(pages, content.feedback);
  drawFirstThings(book, pages, selectFirstThings(remarks));
  drawScores(pages, content.scores);
  drawAnswers(pages, content.answers);
}

/** Formats the people and the date: "By Naksha for Asha Rao · reviewed by Meera · Nov 4, 2026". */
function formatOrigin({ productName, customer, signature }: AnnotatedContent): string {
  const by = customer ? `By ${productName} for ${customer}` : `By ${productName}`;
  return signature ? `${by} · ${signature}` : by;
}

/** Formats the counts of remarks: "12 remarks: 3 must-fixes, 4 ideas". */
function formatRemarkCounts(remarks: NumberedRemark[]): string {
  const counts = countBySeverity(remarks);
  const kinds = (Object.keys(severities) as Severity[])
    .filter((severity) => counts[severity] > 0)
    .map((severity) => {
      const count = counts[severity];
      const { plural } = severities[severity];
      return `${count} ${count === 1 ? toSingular(plural) : plural}`;
    });
  const all = countNoun(remarks.length, "remark");
  return `${all}: ${kinds.join(", ")}`;
}

/** Converts a plural label: "must-fixes" → "must-fix". */
function toSingular(plural: string): string {
  return plural.replace(/(?<=x)es$|s$/, "");
}

export function drawHeading(pages: TextPages, text: string, room = 90): void {
  pages.ensure(room);
  pages.space(26);
  pages.paragraph(text, "heading");
  pages.space(5);
}

function drawFeedback(pages: TextPages, feedback: string | null): void {
  drawHeading(pages, "Feedback");
  if (feedback) pages.paragraph(feedback, "body", { width: measure });
  else pages.paragraph("No written feedback provided.", "body", { colour: "faint" });
}

function drawFirstThings(book: Book, pages: TextPages, first: NumberedRemark[]): void {
  if (first.length === 0) return;
  drawHeading(pages, formatFirstThingsTitle(first));
  for (const { number, severity, text } of first) {
    pages.ensure(34);
    drawSign(book, pages, severity, number);
    const link = { to: `remark-${number}`, description: `Remark ${number}` };
    const read: Span = { text: `Read remark ${number}`, link };
    const sentence = { text: `${extractFirstSentence(text).replaceAll("\n", " ")} ` };
    pages.paragraph([sentence, read], "body", { indent: hang, width: measure - hang });
    pages.space(8);
  }
}

/** Draws a sign in the margin of the next line. It links to the remark, or from the remark to its place. */
export function drawSign(
  book: Book,
  pages: TextPages,
  severity: Severity,
  number: number,
  to = `remark-${number}`,
): void {
  const side = 24;
  const [x, y] = [column.left + side / 2, pages.y() - 8.5];
  pages.drawing().sign(x, y, side, severity, number);
  const box = [x - side / 2, y - side / 2, x + side / 2, y + side / 2] as const;
  book.link(pages.page(), box, to, to.startsWith("remark") ? `Remark ${number}` : "To its place");
}

/** Draws the scores of each part. Missing scores are left out. */
function drawScores(pages: TextPages, scores: Scores): void {
  const scored = (Object.keys(criteria) as Criterion[]).filter((one) => scores[one] !== undefined);
  if (scored.length === 0) return;
  const parts = (["resume", "portfolio"] as const).filter((part) =>
    scored.some((one) => criteria[one].part === part),
  );
  drawHeading(pages, "Scores");
  for (const [index, part] of parts.entries()) {
    if (parts.length > 1) {
      pages.ensure(70);
      if (index > 0) pages.space(8);
      pages.paragraph(partNames[part as Part], "strong", { colour: "soft" });
      pages.space(3);
    }
    for (const criterion of scored)
      if (criteria[criterion].part === part) drawScore(pages, criterion, scores[criterion]!);
  }
}

const barWidth = 110;

/** Draws a scale bar of five equal lengths, with the score and the meaning of its level. */
function drawScore(pages: TextPages, criterion: Criterion, score: number): void {
  const { label, levels } = criteria[criterion];
  pages.ensure(48);
  const right = column.left + measure;
  const step = barWidth / 5;
  const left = right - barWidth - 44;
  const top = pages.y() - 11;
  for (let length = 0; length < 5; length++) {
    const x = left + length * step;
    pages.drawing().rectangle(x, top, step, 7, length < score ? "ink" : "line");
    if (length >= score) pages.drawing().rectangle(x + 0.6, top + 0.6, step - 1.2, 5.8, "paper");
    if (length > 0 && length < score) pages.drawing().rectangle(x, top, 0.8, 7, "paper");
  }
  pages.aside({ text: `${score} of 5`, colour: "ink" }, "strong", { right });
  pages.paragraph(label, "strong");
  const level: Span = { text: `${levelNames[score - 1]}. `, style: "bold", colour: "ink" };
  pages.paragraph([level, { text: levels[score - 1]! }], "note", {
    colour: "soft",
    width: measure,
  });
  pages.space(9);
}

function drawAnswers(pages: TextPages, answers: AnnotatedContent["answers"]): void {
  if (answers.length === 0) return;
  drawHeading(pages, "Your questions");
  for (const { question, answer } of answers) {
    pages.ensure(50);
    pages.paragraph(question, "strong", { width: measure });
    pages.space(2);
    pages.paragraph(answer, "body", { width: measure });
    pages.space(10);
  }
}

/** Draws all remarks in full, grouped by page, each linked to its pin. */
export function drawRemarks(
  book: Book,
  pages: TextPages,
  sheets: AnnotatedSheet[],
  unpinned: NumberedRemark[],
): void {
  book.addDestination("remarks", pages.page(), column.left, pages.y() + 60);
  pages.paragraph("Remarks", "title");
  pages.space(8);
  drawLegend(pages, [...sheets.flatMap(({ remarks }) => remarks), ...unpinned]);
  for (const sheet of sheets.filter(({ remarks }) => remarks.length > 0)) {
    drawHeading(pages, sheet.title, 120);
    if (sheet.caption) {
      pages.paragraph(sheet.caption, "note", { colour: "faint", width: measure });
      pages.space(6);
    }
    for (const remark of sheet.remarks) drawRemark(book, pages, remark);
  }
  if (unpinned.length === 0) return;
  drawHeading(pages, "Without a place", 120);
  const why = "The pages these were pinned to are no longer shown. The remarks still apply.";
  pages.paragraph(why, "note", { colour: "faint" });
  pages.space(6);
  for (const remark of unpinned) drawRemark(book, pages, remark);
}

/** Draws the legend of the signs in this review. */
function drawLegend(pages: TextPages, remarks: NumberedRemark[]): void {
  const counts = countBySeverity(remarks);
  const kinds = (Object.keys(severities) as Severity[]).filter((severity) => counts[severity] > 0);
  const step = column.width / 4;
  for (const [index, severity] of kinds.entries()) {
    const x = column.left + index * step;
    pages.drawing().sign(x + 6, pages.y() - 7, 13, severity, null);
    pages.aside({ text: severities[severity].label }, "note", { x: x + 18 });
  }
  pages.space(14);
}

function drawRemark(book: Book, pages: TextPages, remark: NumberedRemark): void {
  const { number, severity, criterion, text } = remark;
  const { label } = severities[severity];
  pages.ensure(58);
  book.addDestination(`remark-${number}`, pages.page(), column.left, pages.y() + 24);
  drawSign(book, pages, severity, number, `pin-${number}`);
  const back = { text: "To its place", link: { to: `pin-${number}`, description: "To its place" } };
  if (book.destination(`pin-${number}`))
    pages.aside(back, "note", { right: column.left + column.width });
  const about = criterion
    ? [{ text: `  ${criteria[criterion].label}`, style: "text" as const, colour: "soft" as const }]
    : [];
  pages.paragraph([{ text: label }, ...about], "strong", { indent: hang, width: measure - hang });
  pages.space(1);
  pages.paragraph(text, "body", { indent: hang, width: measure - hang });
  drawWording(pages, remark);
  pages.space(15);
}

/** Draws the quoted words and the suggested replacement. */
export function drawWording(
  pages: TextPages,
  { quote, suggestion }: Pick<NumberedRemark, "quote" | "suggestion">,
): void {
  if (quote)
    drawLabeledText(pages, suggestion ? "Before" : "On the page", quote, suggestion !== null);
  if (suggestion) drawLabeledText(pages, quote ? "After" : "Suggestion", suggestion, false);
}

const labelWidth = 62;

function drawLabeledText(pages: TextPages, label: string, text: string, isStruck: boolean): void {
  pages.space(5);
  pages.ensure(28);
  pages.aside({ text: label, colour: "faint" }, "note", { x: column.left + hang });
  const indented = { indent: hang + labelWidth, width: measure - hang - labelWidth };
  pages.paragraph(text, "note", { ...indented, colour: isStruck ? "faint" : "ink", isStruck });
}

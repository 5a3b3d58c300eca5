import { compile } from "html-to-text";
import { splitIntoParagraphs, truncateSummary } from "../../jobs/rules.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { RowError } from "./source-rows.server.ts";

/** In characters, with tags. A listing's text takes far less. */
const maxHtmlLength = 300_000;

/** Shorter paragraphs are greetings and headings. */
const minSummaryLength = 60;

const toText = compile({
  wordwrap: false,
  limits: { maxDepth: 100, ellipsis: "…" },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    { selector: "ul", options: { itemPrefix: "• " } },
    { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
      selector,
      options: { uppercase: false, leadingLineBreaks: 2 },
    })),
  ],
});

const decode = compile({ wordwrap: false, preserveNewlines: true });

/** Converts HTML to plain text with paragraphs and bullets. @throws {RowError} for one that is far too long */
export function toPlainText(html: string): string {
  requireLength(html);
  return (
    toText(html)
      .replace(/[ \t]+$/gm, "")
      // Items with paragraphs have empty lines between them.
      .replace(/\n{2,}(?=[ \t]*(?:•|\d+\.) )/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
  );
}

/** Decodes HTML that was escaped, as in `&lt;p&gt;`. Its own entities stay. */
export function decodeEscapedHtml(escaped: string): string {
  requireLength(escaped);
  return escaped.includes("<") ? escaped : decode(escaped);
}

function requireLength(html: string): void {
  if (html.length > maxHtmlLength)
    throw new RowError(
      `Its description has ${formatIndianNumber(html.length)} characters, which is too long to read. Shorten it where it was written, and export again.`,
    );
}

const blockTag = /<\/?(?:p|br|ul|ol|li|div|h[1-6]|table|strong|em)\b[^<>]*>/i;

/** Converts a text that may be HTML. */
export function toPlainTextIfHtml(text: string): string {
  return blockTag.test(text) ? toPlainText(text) : text;
}

/** Returns the two texts of a listing. The summary is the first paragraph that isn't short. */
export function toListingTexts(text: string): { description: string; largeDescription: string } {
  const paragraphs = splitIntoParagraphs(text);
  const first = paragraphs.find(({ length }) => length >= minSummaryLength) ?? paragraphs[0] ?? "";
  return { description: truncateSummary(first), largeDescription: text };
}

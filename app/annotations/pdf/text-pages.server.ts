import type { PDFPage } from "@cantoo/pdf-lib";
import type { Book, Color, Drawing } from "./book.server.ts";
import type { Style } from "./faces.server.ts";

/** The size of A4 in points, and its margins. */
const paper = { width: 595.28, height: 841.89 };
const margin = { side: 64, top: 84, bottom: 72 };

/** The text column, in points from the left edge of the paper. */
export const column = { left: margin.side, width: paper.width - 2 * margin.side };

/** The styles of text: face, size and line height in points. */
const types = {
  title: { style: "display", size: 27, leading: 32 },
  heading: { style: "display", size: 14, leading: 19 },
  strong: { style: "bold", size: 10.5, leading: 15.5 },
  body: { style: "text", size: 10.5, leading: 15.5 },
  note: { style: "text", size: 9, leading: 13 },
} as const satisfies Record<string, { style: Style; size: number; leading: number }>;
type Type = keyof typeof types;

/** Part of a paragraph with its own style or link. */
export type Span = {
  text: string;
  style?: Style;
  colour?: Color;
  /** The name of a place in the book, and the link's text for screen readers. */
  link?: { to: string; description: string };
};

type Setting = {
  colour?: Color;
  /** The distance from the left edge of the column, in points. */
  indent?: number;
  /** The width in points; the column's by default. */
  width?: number;
  isStruck?: boolean;
};

export type TextPages = {
  /** Returns how far down the next content may start, on the last page. */
  y(): number;
  page(): PDFPage;
  drawing(): Drawing;
  /** Starts a new page unless this much space is left. */
  ensure(height: number): void;
  space(height: number): void;
  /** Adds a paragraph without orphans or widows. Line breaks in a plain string are kept. */
  paragraph(content: string | Span[], type: Type, setting?: Setting): void;
  /** Adds a line at the left or right edge that takes no space. */
  aside(content: Span, type: Type, place: { x?: number; right?: number }): void;
  pages(): readonly PDFPage[];
};

/** Creates flowing pages. @param nextPage returns an empty page, already in its place in the document */
export function createTextPages(
  book: Book,
  nextPage: (size: [number, number]) => PDFPage,
): TextPages {
  const pages: PDFPage[] = [];
  let y = 0;
  const turn = () => {
    const page = nextPage([paper.width, paper.height]);
    pages.push(page);
    drawPageFrame(book.drawOn(page));
    y = paper.height - margin.top;
  };
  const page = () => pages.at(-1)!;
  const drawing = () => book.drawOn(page());
  turn();
  const pagesOfText: TextPages = {
    y: () => y,
    page,
    drawing,
    pages: () => pages,
    ensure(height) {
      if (y - height < margin.bottom && y < paper.height - margin.top) turn();
    },
    space(height) {
      // The top of a page needs no space.
      if (y < paper.height - margin.top) y -= height;
    },
    paragraph(content, type, setting = {}) {
      const { size, leading, style } = types[type];
      if (typeof content === "string" && content.includes("\n")) {
        for (const part of content.split("\n")) {
          if (part.trim() === "") pagesOfText.space(leading / 2);
          else pagesOfText.paragraph(part, type, setting);
        }
        return;
      }
      const { colour = "ink", indent = 0, width, isStruck = false } = setting;
      const spans = typeof content === "string" ? [{ text: content }] : content;
      const room = Math.min(width ?? column.width, column.width - indent);
      const lines = splitIntoLines(book, spans, style, size, room);
      let at = 0;
      while (at < lines.length) {
        const left = lines.length - at;
        const fitting = Math.floor((y - margin.bottom) / leading);
        if (fitting < Math.min(2, left)) {
          turn();
          continue;
        }
        const isLonely = left - fitting === 1 && fitting > 2;
        const count = isLonely ? fitting - 1 : Math.min(fitting, left);
        for (const line of lines.slice(at, at + count)) {
          y -= leading;
          // Centers letters in their line, approximately.
          const base = y + (leading - size) * 0.5 + size * 0.22;
          drawLine(book, page(), line, {
            x: column.left + indent,
            y: base,
            size,
            style,
            colour,
            isStruck,
          });
        }
        at += count;
      }
    },
    aside(content, type, { x, right }) {
      const { size, leading, style } = types[type];
      const [line] = splitIntoLines(book, [content], style, size, column.width);
      if (!line) return;
      const from = x ?? right! - measureLine(line);
      const base = y - leading + (leading - size) * 0.5 + size * 0.22;
      drawLine(book, page(), line, { x: from, y: base, size, style, colour: "soft" });
    },
  };
  return pagesOfText;
}

/** Adds the document's title and the page number to each page, when all pages exist. */
export function drawFooters(book: Book, pages: readonly PDFPage[], title: string): void {
  const all = book.document.getPages();
  for (const page of pages) {
    const number = all.findIndex(({ ref }) => ref === page.ref) + 1;
    const { size, style } = types.note;
    const at = { y: 40, size, style, colour: "faint" } as const;
    const [left] = splitIntoLines(book, [{ text: title }], style, size, column.width);
    const count = [{ text: `${number} of ${all.length}` }];
    const [right] = splitIntoLines(book, count, style, size, column.width);
    if (left) drawLine(book, page, left, { ...at, x: column.left });
    if (right)
      drawLine(book, page, right, { ...at, x: column.left + column.width - measureLine(right) });
  }
}

/** Draws the frame of a printed map: alternating ink and paper. */
function drawPageFrame(drawing: Drawing): void {
  const [height, count] = [3, 12];
  const length = column.width / count;
  const y = paper.height - 46;
  drawing.rectangle(column.left, y, column.width, height, "ink");
  for (let part = 1; part < count; part += 2)
    drawing.rectangle(column.left + part * length, y + 0.5, length, height - 1, "paper");
}

type Piece = { span: Span; text: string; width: number; hasGap: boolean; gap: number };
type Line = Piece[];

function splitIntoLines(book: Book, spans: Span[], style: Style, size: number, room: number) {
  const lines: Line[] = [];
  let line: Line = [];
  let used = 0;
  const end = () => {
    if (line.length > 0) lines.push(line);
    line = [];
    used = 0;
  };
  for (const piece of splitIntoPieces(book, spans, style, size)) {
    const width = piece.width + (line.length > 0 ? piece.gap : 0);
    if (line.length > 0 && used + width > room) end();
    for (const part of piece.width > room
      ? splitLongWord(book, piece, style, size, room)
      : [piece]) {
      const isFirst = line.length === 0;
      if (!isFirst && used + part.gap + part.width > room) end();
      used += part.width + (line.length > 0 ? part.gap : 0);
      line.push(part);
    }
  }
  end();
  return lines;
}

/** Places where a word can break. */
const seams = /(?<=[\p{L}\p{N}][-–—/])(?=[\p{L}\p{N}])/u;

function splitIntoPieces(book: Book, spans: Span[], style: Style, size: number): Piece[] {
  const pieces: Piece[] = [];
  let isApart = false;
  for (const span of spans) {
    const own = span.style ?? style;
    const space = book.faces.shape(" ", own).width * size;
    for (const word of span.text.split(/([ \t\n]+)/)) {
      if (word.trim() === "") {
        isApart ||= word !== "";
        continue;
      }
      for (const part of word.split(seams)) {
        const width = book.faces.shape(part, own).width * size;
        pieces.push({ span, text: part, width, hasGap: isApart, gap: isApart ? space : 0 });
        isApart = false;
      }
    }
  }
  return pieces;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a word that is longer than a line, such as a web address. */
function splitLongWord(book: Book, piece: Piece, style: Style, size: number, room: number) {
  const own = piece.span.style ?? style;
  const parts: Piece[] = [];
  let text = "";
  const widthOf = (part: string) => book.faces.shape(part, own).width * size;
  const add = () => {
    const isFirst = parts.length === 0;
    const gap = isFirst ? piece.gap : 0;
    parts.push({ ...piece, text, width: widthOf(text), hasGap: isFirst && piece.hasGap, gap });
  };
  for (const { segment } of graphemes.segment(piece.text)) {
    if (text && widthOf(text + segment) > room) {
      add();
      text = "";
    }
    text += segment;
  }
  if (text) add();
  return parts;
}

function measureLine(line: Line): number {
  return line.reduce((sum, { width, gap }, index) => sum + width + (index > 0 ? gap : 0), 0);
}

type At = {
  x: number;
  y: number;
  size: number;
  style: Style;
  colour: Color;
  isStruck?: boolean;
};

/** Draws adjacent words of one style together, with their spaces. */
function drawLine(book: Book, page: PDFPage, line: Line, at: At): void {
  const drawing = book.drawOn(page);
  let x = at.x;
  for (let from = 0; from < line.length;) {
    const { span } = line[from]!;
    let to = from;
    while (line[to]?.span === span) to++;
    const pieces = line.slice(from, to);
    if (from > 0) x += pieces[0]!.gap;
    const width = measureLine(pieces);
    const next = line[to];
    const text =
      pieces
        .map(({ text: part, hasGap }, index) => (index > 0 && hasGap ? ` ${part}` : part))
        .join("") + (next?.hasGap || to === line.length ? " " : "");
    const colour = span.link ? "link" : (span.colour ?? at.colour);
    drawing.text(x, at.y, book.faces.shape(text, span.style ?? at.style), at.size, colour);
    if (at.isStruck) drawing.rectangle(x, at.y + at.size * 0.27, width, 0.6, colour);
    if (span.link) {
      drawing.rectangle(x, at.y - at.size * 0.16, width, 0.5, "link");
      const box = [x, at.y - at.size * 0.4, x + width, at.y + at.size] as const;
      book.link(page, box, span.link.to, span.link.description);
    }
    x += width;
    from = to;
  }
}

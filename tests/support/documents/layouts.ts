import { makePdf } from "./pdf.ts";

/** A line of text on a page of 595 × 842 points. */
export type TextLine = {
  x: number;
  /** From the top. */
  y: number;
  text: string;
  size?: number;
};

/** Builds a PDF whose text is drawn in this order, in Helvetica. */
export function makeTextPdf(lines: readonly TextLine[]): Buffer {
  const drawn = lines.map(({ x, y, text, size = 10 }) => {
    const escaped = text.replaceAll(/[\\()]/g, String.raw`\$&`).replaceAll("•", "\\267");
    return `BT /F1 ${size} Tf ${x.toFixed(2)} ${(842 - y).toFixed(2)} Td (${escaped}) Tj ET`;
  });
  return makePdf({ content: drawn.join("\n") });
}

/** The widths of Helvetica's letters in thousandths of its size, by groups of letters. */
const widths: [string, number][] = [
  ["ijl'|", 222],
  [" .,:;/I!ft", 278],
  ["r-()", 333],
  ["cksvxyzJ", 500],
  ["abdeghnopqu0123456789L–+@", 556],
  ["FTZ", 611],
  ["ABEKPSVXY&", 667],
  ["wCDHNRU", 722],
  ["GOQ", 778],
  ["mM", 833],
  ["W", 944],
];

/** Returns the width of a text in points. */
export function measure(text: string, size = 10): number {
  const width = (letter: string) =>
    widths.find(([letters]) => letters.includes(letter))?.[1] ?? 556;
  return Array.from(text).reduce((sum, letter) => sum + (width(letter) * size) / 1000, 0);
}

/** Wraps a text into lines of at most this width in points. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

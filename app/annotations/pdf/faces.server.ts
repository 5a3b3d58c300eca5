import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { PDFDocument, PDFFont } from "@cantoo/pdf-lib";
import * as fontkit from "fontkit";
import type { Font, GlyphRun } from "fontkit";

/** The styles of text. */
export type Style = "display" | "text" | "bold";

const faceNames = ["display", "text", "bold", "extended", "devanagari", "tamil"] as const;
type FaceName = (typeof faceNames)[number];

/** The faces of each style by preference: the first with the character is used. */
const faceOrder: Record<Style, readonly FaceName[]> = {
  display: ["display", "bold", "extended", "devanagari", "tamil"],
  text: ["text", "extended", "devanagari", "tamil"],
  bold: ["bold", "extended", "devanagari", "tamil"],
};

/** Scripts with joined shapes, whose text cannot be recovered from glyphs. */
const isShaped: ReadonlySet<FaceName> = new Set(["devanagari", "tamil"]);

type Run = { face: FaceName; text: string; glyphs: GlyphRun; width: number };

/** A shaped text; `width` is relative to the font size. */
export type Shaped = { runs: Run[]; width: number };

/** The faces of one document. Only the used ones are embedded. */
export type Faces = {
  /** Shapes a text without line breaks. Characters without a glyph become their code, as in "[U+1F600]". */
  shape(text: string, style: Style): Shaped;
  /** Builds the operators that draw the text at the current point and move the point behind it. */
  show(shaped: Shaped, size: number): string;
  /** Lists the used faces by their names in the operators. */
  inUse(): { name: FaceName; font: PDFFont }[];
};

/** Opens the faces; see `app/ui/fonts/make.py`. */
export async function openFaces(document: PDFDocument): Promise<Faces> {
  document.registerFontkit(fontkit);
  const opened = await Promise.all(
    faceNames.map(async (name) => {
      const bytes = await readFile(resolve("app/annotations/pdf/fonts", `${name}.ttf`));
      const embedded = await document.embedFont(bytes, { subset: true });
      return [name, { embedded, shapes: fontkit.create(bytes) as Font }] as const;
    }),
  );
  const faces = Object.fromEntries(opened) as Record<FaceName, Face>;
  const used = new Set<FaceName>();
  const cache = new Map<string, Shaped>();
  return {
    shape(text, style) {
      const key = `${style} ${text}`;
      const shaped = cache.get(key) ?? shapeText(faces, text, style);
      cache.set(key, shaped);
      return shaped;
    },
    show({ runs }, size) {
      const parts = runs.map((run) => {
        used.add(run.face);
        return `/${run.face} ${size} Tf ${buildRunOperators(faces[run.face], run, size)}`;
      });
      const operators = parts.join("\n");
      return runs.some(({ face }) => isShaped.has(face))
        ? buildActualText(runs, operators)
        : operators;
    },
    inUse: () => [...used].map((name) => ({ name, font: faces[name].embedded })),
  };
}

type Face = { embedded: PDFFont; shapes: Font };

function shapeText(faces: Record<FaceName, Face>, text: string, style: Style): Shaped {
  const runs = splitIntoRuns(faces, text, faceOrder[style]).map(({ face, text: part }) => {
    const { shapes } = faces[face];
    const glyphs = shapes.layout(part);
    return { face, text: part, glyphs, width: glyphs.advanceWidth / shapes.unitsPerEm };
  });
  return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) };
}

/** Variation selectors; no face has glyphs for them. */
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const control = /[\p{Cc}\ufeff\u200b\u2028-\u202e\u2060-\u2069]/gu;
/** Zero-width joiners, which belong to the neighboring letters. */
const joiners = /^[\u200c\u200d]$/;

function splitIntoRuns(faces: Record<FaceName, Face>, text: string, order: readonly FaceName[]) {
  const runs: { face: FaceName; text: string }[] = [];
  const add = (face: FaceName, part: string) => {
    const last = runs.at(-1);
    if (last?.face === face) last.text += part;
    else runs.push({ face, text: part });
  };
  const printable = text
    .toWellFormed()
    .normalize("NFC")
    .replace(selectors, "")
    .replace(control, "");
  for (const character of printable) {
    const code = character.codePointAt(0)!;
    const has = (face: FaceName) => faces[face].shapes.hasGlyphForCodePoint(code);
    const last = runs.at(-1)?.face;
    // A mark is set with its base letter.
    const isMark = /\p{M}/u.test(character) || joiners.test(character);
    const face = isMark && last && has(last) ? last : order.find(has);
    if (face) add(face, character);
    else if (!joiners.test(character)) add(order[0]!, formatCodePoint(code));
  }
  // Adjacent codes share one pair of brackets.
  for (const run of runs) run.text = run.text.replaceAll("][U+", " U+");
  return runs;
}

function formatCodePoint(code: number): string {
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/**
 * Builds the operators of positioned glyphs. The embedded face has only advance widths, so kerning and mark
 * positions are written between the glyphs.
 */
function buildRunOperators({ embedded, shapes }: Face, { text, glyphs }: Run, size: number) {
  const codes = embedded.encodeText(text).asString();
  const thousandths = 1000 / shapes.unitsPerEm;
  const operators: string[] = [];
  let parts = "";
  let raised = 0;
  const end = () => {
    if (parts) operators.push(`[${parts}] TJ`);
    parts = "";
  };
  for (const [index, { xAdvance, xOffset, yOffset }] of glyphs.positions.entries()) {
    if (yOffset !== raised) {
      end();
      raised = yOffset;
      operators.push(`${formatCoordinate((raised * size) / shapes.unitsPerEm)} Ts`);
    }
    const ahead = -xOffset * thousandths;
    const back = (glyphs.glyphs[index]!.advanceWidth + xOffset - xAdvance) * thousandths;
    if (ahead) parts += formatCoordinate(ahead);
    const code = codes.slice(index * 4, index * 4 + 4);
    parts = parts.endsWith(">") ? `${parts.slice(0, -1)}${code}>` : `${parts}<${code}>`;
    if (back) parts += formatCoordinate(back);
  }
  end();
  if (raised !== 0) operators.push("0 Ts");
  return operators.join(" ");
}

/** Marks glyphs with their text, spaces included, since glyphs are in drawing order. */
function buildActualText(runs: Run[], operators: string): string {
  const text = runs.map((run) => run.text).join("");
  const written = Buffer.from(`\ufeff${text}`, "utf16le").swap16().toString("hex");
  return `/Span << /ActualText <${written}> >> BDC ${operators} EMC`;
}

/** Formats a coordinate with as few decimals as paper needs. */
export function formatCoordinate(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

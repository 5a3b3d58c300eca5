import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { PDFDocument, PDFFont } from "@cantoo/pdf-lib";
import * as fontkit from "fontkit";
import type { Font, GlyphRun } from "fontkit";

/** The styles of text. */
export type Style = "display" | "text" | "bold";

const faceNames = ["display", "text", "bold", "extended", "devanagari", "tamil"] as const;
type FaceName = (typeof faceNames)[number];

/** Which faces a letter of a style is looked for in; the first that has it sets it. */
const faceOrder: Record<Style, readonly FaceName[]> = {
  display: ["display", "bold", "extended", "devanagari", "tamil"],
  text: ["text", "extended", "devanagari", "tamil"],
  bold: ["bold", "extended", "devanagari", "tamil"],
};

/** Letters whose shapes hang together: what is written cannot be told from the glyphs. */
const isShaped: ReadonlySet<FaceName> = new Set(["devanagari", "tamil"]);

/** A stretch of text in one face. */
type Run = { face: FaceName; text: string; glyphs: GlyphRun; width: number };

/** A text ready to be shown; `width` in parts of the size of the type. */
export type Shaped = { runs: Run[]; width: number };

/** The faces of one document. Only those that something is set in become a part of it. */
export type Faces = {
  /** Never breaks it; what no face can show is named by its code, as in "[U+1F600]". */
  shape(text: string, style: Style): Shaped;
  /** Operators that show it from the current point on, which ends behind it. */
  show(shaped: Shaped, size: number): string;
  /** The faces in use, by the names that the operators call them by. */
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
  const known = new Map<string, Shaped>();
  return {
    shape(text, style) {
      const key = `${style} ${text}`;
      const shaped = known.get(key) ?? shapeText(faces, text, style);
      known.set(key, shaped);
      return shaped;
    },
    show({ runs }, size) {
      const shown = runs.map((run) => {
        used.add(run.face);
        return `/${run.face} ${size} Tf ${buildRunOperators(faces[run.face], run, size)}`;
      });
      const operators = shown.join("\n");
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

/** Marks that only choose how the letter before them looks; no face has them. */
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const control = /[\p{Cc}\ufeff\u200b\u2028-\u202e\u2060-\u2069]/gu;
/** Joiners belong to the letters around them. */
const joiners = /^[\u200c\u200d]$/;

function splitIntoRuns(
  faces: Record<FaceName, Face>,
  text: string,
  order: readonly FaceName[],
): { face: FaceName; text: string }[] {
  const runs: { face: FaceName; text: string }[] = [];
  const add = (face: FaceName, part: string) => {
    const last = runs.at(-1);
    if (last?.face === face) last.text += part;
    else runs.push({ face, text: part });
  };
  const legible = text.toWellFormed().normalize("NFC").replace(selectors, "").replace(control, "");
  for (const character of legible) {
    const code = character.codePointAt(0)!;
    const has = (face: FaceName) => faces[face].shapes.hasGlyphForCodePoint(code);
    const last = runs.at(-1)?.face;
    // A mark is set with its base letter.
    const isMark = /\p{M}/u.test(character) || joiners.test(character);
    const face = isMark && last && has(last) ? last : order.find(has);
    if (face) add(face, character);
    else if (!joiners.test(character)) add(order[0]!, formatCodePoint(code));
  }
  // Characters of one word, or of one visible sign, share one bracket.
  for (const run of runs) run.text = run.text.replaceAll("][U+", " U+");
  return runs;
}

function formatCodePoint(code: number): string {
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/**
 * Glyphs at the places that shaping found for them. The engine that embeds a face counts on its plain
 * widths, so kerning and the places of marks are said between the glyphs.
 */
function buildRunOperators(
  { embedded, shapes }: Face,
  { text, glyphs }: Run,
  size: number,
): string {
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

/** Builds the text behind glyphs, spaces included: glyphs are in drawing order. */
function buildActualText(runs: Run[], operators: string): string {
  const text = runs.map((run) => run.text).join("");
  const written = Buffer.from(`\ufeff${text}`, "utf16le").swap16().toString("hex");
  return `/Span << /ActualText <${written}> >> BDC ${operators} EMC`;
}

/** A number as short as a place on paper needs it. */
export function formatCoordinate(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

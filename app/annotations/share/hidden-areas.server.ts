import { z } from "zod";
import type { PageText } from "../../files/inspect/page-text.ts";
import { findPhoneNumbers } from "../../platform/text/phone-numbers.ts";
import { writtenAddress } from "../machine-reading/findings.server.ts";
import { type Area, normalizeArea } from "../rules.ts";
import type { HiddenArea } from "../hiding/hidden-areas.ts";

/** The margin around a word, as a share of its line's height, since letters extend beyond their box. */
const margin = 0.15;

/**
 * Lists the boxes of words with the person's name, or with anyone's address or phone number. Words in
 * pictures are not found.
 */
export function listPrivateAreas({ text, words }: PageText, name: string | null): Area[] {
  const isPrivate = new Uint8Array(text.length);
  for (const { start, end } of findPhoneNumbers(text, "wide")) isPrivate.fill(1, start, end);
  for (const pattern of [writtenAddress, ...buildNamePatterns(name)])
    for (const match of text.matchAll(pattern))
      isPrivate.fill(1, match.index, match.index + match[0].length);
  return words
    .filter(([start, size]) => isPrivate.subarray(start, start + size).includes(1))
    .map(([, , x, y, width, height]) => ({
      x: Math.max(0, x - margin * height),
      y: Math.max(0, y - margin * height),
      width: width + 2 * margin * height,
      height: height * (1 + 2 * margin),
    }));
}

/** A single letter is part of too many ordinary texts. */
const minLetters = 2;

/**
 * Builds patterns for each part of a name. Names of two letters are ordinary words too, such as "an", so that they
 * match only as written or in capitals.
 */
function buildNamePatterns(name: string | null): RegExp[] {
  const letter = String.raw`[\p{L}\p{M}]`;
  return (name ?? "").split(/\s+/).flatMap((part) => {
    const letters = part.match(/\p{L}/gu)?.length ?? 0;
    if (letters < minLetters) return [];
    const flags = letters === minLetters ? "gu" : "giu";
    // PDFs can have accents as separate characters.
    const forms = [part, part.toUpperCase()].flatMap((form) => [
      form.normalize("NFC"),
      form.normalize("NFD"),
    ]);
    return [...new Set(forms)].map(
      (form) => new RegExp(`(?<!${letter})${escapeRegExp(form)}(?!${letter})`, flags),
    );
  });
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

const maxHidden = 500;

/** The schema of hidden areas in a form: a JSON list. An invalid list is refused completely. */
export const hiddenAreas = z
  .string()
  .transform((text) => parseJsonOrNull(text))
  .pipe(
    z
      .array(
        z.object({
          part: z.enum(["resume", "portfolio"]),
          page: z.int().min(1).max(99),
          x: z.number(),
          y: z.number(),
          width: z.number(),
          height: z.number(),
        }),
      )
      .max(maxHidden),
  )
  .transform((areas) =>
    areas.flatMap(({ part, page, ...area }): HiddenArea[] => {
      const clean = normalizeArea(area);
      return clean && clean.width > 0 && clean.height > 0 ? [{ part, page, ...clean }] : [];
    }),
  );

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

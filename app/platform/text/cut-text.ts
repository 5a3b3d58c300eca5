/**
 * Cuts texts between characters as readers see them (grapheme clusters, Unicode Annex 29), never inside a surrogate
 * pair, a flag, a family emoji or a Devanagari syllable.
 */

/**
 * Returns the start of a text within a limit of UTF-16 code units, the unit of a field's `maxlength` and a schema's
 * `max`.
 */
export function truncateToUnits(text: string, max: number): string {
  return text.slice(0, findBoundaryBefore(text, max));
}

/** Returns the start of a text, with at most `max` code points. */
export function truncateToCharacters(text: string, max: number): string {
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++)
    end += text.codePointAt(end)! > 0xff_ff ? 2 : 1;
  return text.slice(0, findBoundaryBefore(text, end));
}

/** Returns the first character of a text, as for initials, or "". */
export function getFirstCharacter(text: string): string {
  const [first] = splitIntoSegments(text.slice(0, maxCharacterLength));
  return first?.segment ?? "";
}

/** Returns the first characters of the first two words of a name, or of its only word: "CH", "FI". */
export function getMonogram(name: string): string {
  const [first = "", second] = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const monogram = second
    ? getFirstCharacter(first) + getFirstCharacter(second)
    : truncateToCharacters(first, 2);
  return monogram.toUpperCase();
}

/** Created once, when the first text is cut. */
let graphemes: Intl.Segmenter | undefined;

/** In code units. The longest emoji has 35. */
const maxCharacterLength = 100;

function findBoundaryBefore(text: string, index: number): number {
  return (
    splitIntoSegments(text.slice(0, index + maxCharacterLength)).containing(index)?.index ??
    text.length
  );
}

function splitIntoSegments(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return graphemes.segment(text);
}

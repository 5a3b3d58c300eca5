/**
 * Cuts texts where readers see no break: never inside a surrogate pair, nor inside what they take for one character,
 * such as a flag, a family emoji or a Devanagari syllable (a grapheme cluster, Unicode Annex 29).
 */

/**
 * The beginning of a text within a limit of UTF-16 code units, which is how `maxlength` of a field and `max` of a
 * schema count.
 */
export function takeUnits(text: string, most: number): string {
  return text.slice(0, boundaryBefore(text, most));
}

/** The beginning of a text that people see, of `most` code points or a few less. */
export function takeCharacters(text: string, most: number): string {
  let end = 0;
  for (let seen = 0; seen < most && end < text.length; seen++)
    end += text.codePointAt(end)! > 0xff_ff ? 2 : 1;
  return text.slice(0, boundaryBefore(text, end));
}

/** The first character of a text, as for initials; "" of an empty one. */
export function firstCharacter(text: string): string {
  const [first] = segmenter().segment(text.slice(0, longestCharacter));
  return first?.segment ?? "";
}

/** Made once, and only where a text is cut. */
let graphemes: Intl.Segmenter | undefined;

function segmenter(): Intl.Segmenter {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return graphemes;
}

/** In code units; the longest emoji has 35, and a longer pile of marks is no character to keep together. */
const longestCharacter = 100;

function boundaryBefore(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const start = Math.max(0, index - longestCharacter);
  const around = text.slice(start, index + longestCharacter);
  const boundary =
    start +
    (segmenter()
      .segment(around)
      .containing(index - start)?.index ?? 0);
  if (boundary > start) return boundary;
  return isInsidePair(text, index) ? index - 1 : index;
}

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && text.codePointAt(index - 1)! > 0xff_ff;
}

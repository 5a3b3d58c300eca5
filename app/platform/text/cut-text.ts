/**
 * Cuts texts where readers see no break: never inside a surrogate pair, nor inside what they take for one character,
 * such as a flag, a family emoji or a Devanagari syllable (a grapheme cluster, Unicode Annex 29).
 */

/**
 * The beginning of a text within a limit of UTF-16 code units, which is how `maxlength` of a field and `max` of a
 * schema count.
 */
export function truncateToUnits(text: string, most: number): string {
  return text.slice(0, findBoundaryBefore(text, most));
}

/** The beginning of a text that people see, of `most` code points or a few less. */
export function truncateToCharacters(text: string, most: number): string {
  let end = 0;
  for (let seen = 0; seen < most && end < text.length; seen++)
    end += text.codePointAt(end)! > 0xff_ff ? 2 : 1;
  return text.slice(0, findBoundaryBefore(text, end));
}

/** The first character of a text, as for initials; "" of an empty one. */
export function getFirstCharacter(text: string): string {
  const [first] = splitIntoSegments(text.slice(0, longestCharacter));
  return first?.segment ?? "";
}

/** Made once, and only where a text is cut. */
let graphemes: Intl.Segmenter | undefined;

/** In code units; the longest emoji has 35. */
const longestCharacter = 100;

function findBoundaryBefore(text: string, index: number): number {
  return (
    splitIntoSegments(text.slice(0, index + longestCharacter)).containing(index)?.index ??
    text.length
  );
}

function splitIntoSegments(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return graphemes.segment(text);
}

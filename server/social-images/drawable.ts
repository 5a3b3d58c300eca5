/**
 * Latin, Devanagari, figures and common signs: what the faces of the images have. The two joiners
 * stand apart, as they shape the letters around them.
 */
const known =
  /[\u0020-\u007e\u00a0-\u017f\u0900-\u097f\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2212\u2032\u2033\u2039\u203a\u20b9]|\u200c|\u200d/u;

/** A text without the letters that would be drawn as boxes, such as emoji and other scripts. */
export function drawable(text: string): string {
  const letters = Array.from(text.normalize("NFC"), (letter) =>
    known.test(letter) ? letter : " ",
  );
  return letters.join("").replace(/\s+/g, " ").trim();
}

/** The words of a page in the order in which programs read them, and what else they find there. */
export type PageText = {
  text: string;
  /** For each word that is on the page, where it begins in the text, how long it is, and its box. */
  words: WordBox[];
  /** Links that lead out of the document. */
  links: PageLink[];
  /** The typefaces of its letters, each once. */
  fonts: PageFont[];
};

/** Left, top, width and height as fractions of the page. */
export type BoxSides = [number, number, number, number];
/** Start and length in the text; then the word's box. */
export type WordBox = [number, number, ...BoxSides];
export type PageLink = { address: string; box: BoxSides };
/** One that is not embedded looks otherwise wherever it is not installed. */
export type PageFont = { name: string; isEmbedded: boolean };

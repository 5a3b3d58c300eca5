/** The text of a page in reading order of programs, with its words, links and fonts. */
export type PageText = {
  text: string;
  /** The start, length and box of each word on the page. */
  words: WordBox[];
  /** Links to addresses outside the document. */
  links: PageLink[];
  /** The fonts of its letters, without duplicates. */
  fonts: PageFont[];
};

/** Left, top, width and height as fractions of the page. */
export type BoxSides = [number, number, number, number];
/** Start and length in the text, then the word's box. */
export type WordBox = [number, number, ...BoxSides];
export type PageLink = { address: string; box: BoxSides };
/** A font that is not embedded looks different where it isn't installed. */
export type PageFont = { name: string; isEmbedded: boolean };

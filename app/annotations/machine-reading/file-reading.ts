/** The result of one check of a file's text. */
export type Finding = {
  /** False for information that needs no fix. */
  isProblem: boolean;
  /** One or two full sentences. */
  text: string;
};

/** The facts, findings and text of a file that software reads, for its owner. */
export type FileReading = {
  /** In bytes. */
  size: number;
  pageCount: number;
  /** The length of the text in characters, without spaces. */
  characters: number;
  findings: Finding[];
  /** The text of each page, up to a limit. */
  pages: { number: number; text: string }[];
  /** True if the text is longer than what is shown. */
  isCut: boolean;
};

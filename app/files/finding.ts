import type { FileKind } from "./rules.ts";

/** The type of a file by its bytes, and the reason if it isn't accepted. */
export type Finding = {
  kind: FileKind;
  /** A complete sentence for the uploader. */
  problem?: string;
  /** The engine crashed while opening the file. */
  crashed?: true;
  /** True if the file contains scripts, launch actions or embedded files. */
  active?: boolean;
  /** The position after the pixels of an image, if the file doesn't say it. */
  end?: number;
};

export const fileProblems = {
  empty: "This file is empty.",
  notPdf: "This file is not a PDF.",
  incomplete: "This file is incomplete or damaged.",
  password: "This file is password-protected.",
  macros:
    "This Word file contains macros. Please save it as a plain .docx or a PDF and upload that.",
  remote:
    "This Word file loads a template or other content from another place. Please save it as a PDF and upload that.",
  oversized: "This file becomes too large when it's opened.",
  crashed:
    "We couldn't open this file. Open it in the app you made it in, export it as a PDF again, and upload the new file.",
  slow: "This file takes too long to open.",
  animated: "This image is animated. Please choose one that stands still.",
} as const;

import type { FileKind } from "./rules.ts";

/** The type of a file by its bytes, and the reason why it is not accepted. */
export type Finding = {
  kind: FileKind;
  /** A whole sentence, for the person who uploads. */
  flaw?: string;
  /** The engine that opens such files crashed. */
  crashed?: true;
  /** True when it contains something that a reader would run, launch or unpack. */
  active?: boolean;
};

export const flaws = {
  empty: "This file is empty.",
  incomplete: "This file is incomplete or damaged.",
  password: "This file is protected with a password.",
  macros:
    "This Word file contains macros. Please save it as a plain .docx or as PDF, and upload that.",
  remote:
    "This Word file loads a template or other parts from elsewhere. Please save it as PDF, and upload that.",
  oversized: "This file would become too large when it is opened.",
  crashed:
    "We couldn't open this file. Open it in the app you made it in, export it as a PDF again, and upload the new file.",
  slow: "This file takes too long to open.",
} as const;

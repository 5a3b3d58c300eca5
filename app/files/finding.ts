import type { FileKind } from "./rules.ts";

/** What a file's bytes say it is, and what keeps it from being accepted although it is that. */
export type Finding = {
  kind: FileKind;
  /** A whole sentence, for the person who uploads. */
  flaw?: string;
};

export const flaws = {
  empty: "This file is empty.",
  incomplete: "This file is incomplete or damaged.",
  password: "This file is protected with a password.",
  macros: "This file contains macros.",
  oversized: "This file would become too large when it is opened.",
} as const;

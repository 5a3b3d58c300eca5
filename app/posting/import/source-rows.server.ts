import type { DraftFields } from "../rules.ts";

/** A job in a file, as its reader found it. */
export type SourceRow = {
  /** The line on which the job begins. */
  line: number;
  externalId: string;
  /** The place in which the id is unique; null for the company's own file. */
  board: string | null;
  /** The page of the job at its source. */
  url: string;
  /** The name of its company, if the file states it. */
  company: string | null;
  fields: Partial<Record<keyof DraftFields, string>>;
};

/** A job that can't be imported. The id is null if it couldn't be read. */
type RefusedRow = { line: number; problem: string; externalId: string | null };

/** The jobs of a file. */
export type SourceFile = {
  rows: SourceRow[];
  refused: RefusedRow[];
  /** Columns with a name that isn't known. */
  ignoredColumns: string[];
};

/** A problem of one job; the message is a sentence for the operator. */
export class RowError extends Error {
  override name = "RowError";
}

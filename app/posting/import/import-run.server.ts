import type { ContactSettings } from "../../jobs/contact/stopped-contacts.server.ts";
import type { CheckSettings } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import type { ImportProvider } from "../rules.ts";
import type { SourceFile } from "./source-rows.server.ts";

export type ImportSettings = CheckSettings & ContactSettings;

export type ImportOptions = {
  provider: ImportProvider;
  /** The part of the company's address. */
  slug: string;
  /** Creates the company if there is none. */
  newCompany: { name: string; website: string } | null;
  dryRun: boolean;
  /** The file has all jobs of the company: those that it lacks twice are closed. */
  closeMissing: boolean;
};

/** The result of an import, or of a dry run. */
export type ImportReport = {
  company: string;
  isDone: boolean;
  counts: Record<(typeof countNames)[number], number>;
  /** Jobs that were not imported. */
  refused: { line: number; problem: string }[];
  /** Jobs to look at. */
  remarks: { line: number; remark: string }[];
  ignoredColumns: string[];
};

export const countNames = [
  "new",
  "changed",
  "unchanged",
  "kept",
  "refused",
  "missing",
  "closed",
  "checked",
] as const;

/** The state of one import. */
export type Run = {
  db: Database;
  settings: ImportSettings;
  logProgress: (line: string) => void;
  options: ImportOptions;
  report: ImportReport;
  company: { id: string; name: string };
  file: SourceFile;
  isStopped: () => boolean;
};

import { inspectDocx } from "./word.server.ts";
import type { Finding } from "./finding.ts";
import { inspectPdf } from "./pdf.server.ts";
import { inspectWordContainer } from "./word.server.ts";

/** A job of the child process: to look at a document. */
export type DocumentJob = {
  /** What its first bytes announce. */
  kind: "pdf" | "doc" | "docx";
  /** Absolute path of the file. */
  path: string;
  /** As the browser gave it. */
  originalName: string;
};

/** Whether a file is the document that it announces, and what is wrong with it. */
export function inspectDocument({
  kind,
  path,
  originalName,
}: DocumentJob): Promise<Finding | null> {
  if (kind === "docx") return inspectDocx(path);
  return kind === "doc" ? inspectWordContainer(path, originalName) : inspectPdf(path);
}

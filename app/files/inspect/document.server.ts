import type { Finding } from "../finding.ts";

/** A job of the child process: to look at a document. */
export type DocumentJob = {
  /** The kind that its first bytes announce. */
  kind: "pdf" | "doc" | "docx";
  /** Absolute path of the file. */
  path: string;
  /** The name that the browser sent. */
  originalName: string;
  /** The engine crashed over it: look at what it writes of the file instead. */
  rewrite?: true;
};

/**
 * Checks whether a file is the document that it announces, and returns its problem. Readers of other kinds are
 * not loaded, since each document has its own process.
 */
export async function inspectDocument({
  kind,
  path,
  originalName,
  rewrite,
}: DocumentJob): Promise<Finding | null> {
  if (kind === "pdf") {
    const { inspectPdf } = await import("./pdf.server.ts");
    return inspectPdf(path, { rewrite });
  }
  const { inspectDocx, inspectWordContainer } = await import("./word.server.ts");
  return kind === "docx" ? inspectDocx(path) : inspectWordContainer(path, originalName);
}

import type { Finding } from "../finding.ts";

/** A job of the child process: to look at a document. */
export type DocumentJob = {
  /** What its first bytes announce. */
  kind: "pdf" | "doc" | "docx";
  /** Absolute path of the file. */
  path: string;
  /** As the browser gave it. */
  originalName: string;
  /** The engine crashed over it: look at what it writes of the file instead. */
  rewrite?: true;
};

/**
 * Whether a file is the document that it announces, and what is wrong with it. What reads the other kinds is not
 * loaded: each document has a process of its own.
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

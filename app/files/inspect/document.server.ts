import type { Finding } from "../finding.ts";

/** A job of the child process, which inspects a document. */
export type DocumentJob = {
  /** The kind detected by its first bytes. */
  kind: "pdf" | "doc" | "docx";
  /** Absolute path of the file. */
  path: string;
  /** The name that the browser sent. */
  originalName: string;
  /** True to inspect the file as rewritten by the engine, after a crash. */
  rewrite?: true;
};

/**
 * Checks a document and returns its kind and problem. Each document has its own process, so only the reader of its kind
 * is loaded.
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

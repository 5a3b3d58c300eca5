import type { Finding } from "../finding.ts";
import type { ImageJob } from "./open-image.server.ts";

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
 * Checks a document, or an image without an end, and returns its kind and problem. Each file has its own process, so only the reader of its kind
 * is loaded.
 */
export async function inspectDocument(job: DocumentJob | ImageJob): Promise<Finding | null> {
  if ("pixels" in job) {
    const { inspectOpenImage } = await import("./open-image.server.ts");
    return inspectOpenImage(job);
  }
  const { kind, path, originalName, rewrite } = job;
  if (kind === "pdf") {
    const { inspectPdf } = await import("./pdf.server.ts");
    return inspectPdf(path, { rewrite });
  }
  const { inspectDocx, inspectWordContainer } = await import("./word.server.ts");
  return kind === "docx" ? inspectDocx(path) : inspectWordContainer(path, originalName);
}

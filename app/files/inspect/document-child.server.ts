import { runWatchedJob } from "../child-process.server.ts";
import type { DocumentJob } from "./document.server.ts";
import type { Finding } from "../finding.ts";

/** The answer of the child process that inspects one document. */
export type DocumentAnswer = { finding: Finding | null };

await runWatchedJob<DocumentAnswer>(import.meta.filename, async (job: DocumentJob) => {
  // Imported here, so that the watching thread starts without the document readers.
  const { inspectDocument } = await import("./document.server.ts");
  return { finding: await inspectDocument(job) };
});

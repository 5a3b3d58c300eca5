import { runWatchedJob } from "../child-process.server.ts";
import type { DocumentJob } from "./document.server.ts";
import type { Finding } from "../finding.ts";

/** What the child process answers, which looks at one document. */
export type DocumentAnswer = { finding: Finding | null };

await runWatchedJob<DocumentAnswer>(import.meta.filename, async (job: DocumentJob) => {
  // Only here: the watching thread would be slower to start with all that reads documents.
  const { inspectDocument } = await import("./document.server.ts");
  return { finding: await inspectDocument(job) };
});

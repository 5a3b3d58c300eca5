import { doWatched } from "../child/watched-work.server.ts";
import { type DocumentJob, inspectDocument } from "./document.server.ts";
import type { Finding } from "./finding.ts";

/** What the child process answers, which looks at one document. */
export type DocumentAnswer = { finding: Finding | null };

await doWatched<DocumentAnswer>(import.meta.filename, async (job: DocumentJob) => ({
  finding: await inspectDocument(job),
}));

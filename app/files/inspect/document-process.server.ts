import { second } from "../../platform/clock.ts";
import { getChildProgram, createJobQueue } from "../child-process.server.ts";
import type { DocumentAnswer } from "./document-child.server.ts";
import type { DocumentJob } from "./document.server.ts";
import type { Finding } from "../finding.ts";

/** Inspects untrusted documents in a process separate from the one that answers requests. */
export type DocumentProcess = {
  /**
   * Inspects a document and returns its kind and problem. Uploaders take turns.
   *
   * @throws {Error} if the process was killed or is being closed.
   */
  inspect(job: DocumentJob, uploaderId: string): Promise<Finding | null>;
  /** Ends the process immediately. */
  close(): Promise<void>;
};

/** @param options the time limit for one document in milliseconds, and the program of the process. */
export function createDocumentProcess({
  deadline = 30 * second,
  program = getChildProgram("app/files/inspect/document-child.server.ts"),
} = {}): DocumentProcess {
  const { run, close } = createJobQueue<DocumentJob, DocumentAnswer>({ program, deadline });
  return {
    async inspect(job, uploaderId) {
      let answer = await run(job, uploaderId);
      // Retries in a new process with the same limits, since a crashed engine must not be used again.
      if ("finding" in answer && answer.finding?.crashed)
        answer = await run({ ...job, rewrite: true }, uploaderId);
      if ("failure" in answer) throw new Error(`Couldn't inspect a document: ${answer.failure}`);
      return "problem" in answer ? { kind: job.kind, problem: answer.problem } : answer.finding;
    },
    close,
  };
}

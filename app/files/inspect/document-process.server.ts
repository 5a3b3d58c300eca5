import { second } from "../../platform/clock.ts";
import { getChildProgram, createJobQueue } from "../child-process.server.ts";
import type { DocumentAnswer } from "./document-child.server.ts";
import type { DocumentJob } from "./document.server.ts";
import type { Finding } from "../finding.ts";

/** Looks at documents of strangers, outside of the process that answers requests. */
export type DocumentProcess = {
  /**
   * Inspects a document and returns its kind and its problem. Waits are short unless many wait; people take
   * turns.
   *
   * @throws {Error} when the process was ended from outside, or is being closed.
   */
  inspect(job: DocumentJob, uploaderId: string): Promise<Finding | null>;
  /** Ends the process in the middle of what it does. */
  close(): Promise<void>;
};

/** @param options deadline of one document in milliseconds; the program of the process. */
export function createDocumentProcess({
  deadline = 30 * second,
  program = getChildProgram("app/files/inspect/document-child.server.ts"),
} = {}): DocumentProcess {
  const { run, close } = createJobQueue<DocumentJob, DocumentAnswer>({ program, deadline });
  return {
    async inspect(job, uploaderId) {
      let answer = await run(job, uploaderId);
      // Runs in a new process with the same limits: an engine that crashed is not used again.
      if ("finding" in answer && answer.finding?.crashed)
        answer = await run({ ...job, rewrite: true }, uploaderId);
      if ("problem" in answer) throw new Error(`Couldn't inspect a document: ${answer.problem}`);
      return "flaw" in answer ? { kind: job.kind, flaw: answer.flaw } : answer.finding;
    },
    close,
  };
}

import { createContext } from "react-router";
import { second } from "../../platform/clock.ts";
import { getChildProgram, createJobQueue } from "../child-process.server.ts";
import type { DocumentAnswer } from "./document-child.server.ts";
import type { DocumentJob } from "./document.server.ts";
import type { ImageJob } from "./open-image.server.ts";
import type { Finding } from "../finding.ts";
import type { ImageAnswer } from "./image-child.server.ts";
import type { SquareAnswer, SquareJob } from "./render-square.server.ts";

export type DocumentProcess = ReturnType<typeof createDocumentProcess>;

/** For screens: `context.get(documentProcess)` */
export const documentProcess = createContext<DocumentProcess>();

/**
 * Inspects untrusted documents in a process separate from the one that answers requests.
 *
 * @param options the time limit for one document in milliseconds, and the program of the process.
 */
export function createDocumentProcess({
  deadline = 30 * second,
  program = getChildProgram("app/files/inspect/document-child.server.ts"),
} = {}) {
  const documents = createJobQueue<DocumentJob, DocumentAnswer>({ program, deadline });
  const images = createJobQueue<ImageJob | SquareJob, ImageAnswer>({
    program: getChildProgram("app/files/inspect/image-child.server.ts"),
    deadline,
    sendsBytes: true,
    // The image library is a native addon.
    permissions: () => ["--allow-addons"],
  });
  const run = (job: DocumentJob | ImageJob, uploaderId: string) =>
    "pixels" in job ? images.run(job, uploaderId) : documents.run(job, uploaderId);
  return {
    /**
     * Inspects a document, or an image without an end, and returns its kind and problem. Uploaders take turns.
     *
     * @throws {Error} if the process was killed or is being closed.
     */
    async inspect(job: DocumentJob | ImageJob, uploaderId: string): Promise<Finding | null> {
      let answer = await run(job, uploaderId);
      // Retries in a new process with the same limits, since a crashed engine must not be used again.
      if ("finding" in answer && answer.finding?.crashed)
        answer = await run({ ...job, rewrite: true } as DocumentJob, uploaderId);
      if ("failure" in answer) throw new Error(`Couldn't inspect a document: ${answer.failure}`);
      if ("problem" in answer) return { kind: job.kind, problem: answer.problem };
      return "finding" in answer ? answer.finding : null;
    },
    /**
     * Renders an image as a small square picture, in the process of images. Uploaders take turns.
     *
     * @throws {Error} if the process was killed or is being closed.
     */
    async renderSquare(job: SquareJob, uploaderId: string): Promise<SquareAnswer> {
      const answer = await images.run(job, uploaderId);
      if ("picture" in answer || "problem" in answer) return answer;
      const why = "failure" in answer ? answer.failure : "it answered another job";
      throw new Error(`Couldn't render an image: ${why}`);
    },
    async close() {
      await Promise.all([documents.close(), images.close()]);
    },
  };
}

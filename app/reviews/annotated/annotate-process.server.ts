import { join, resolve } from "node:path";
import { second } from "../../platform/clock.ts";
import { oneAtATime } from "../../files/child/one-at-a-time.server.ts";
import { type AnnotateAnswer, type AnnotateJob, madeFile } from "./annotate-job.ts";

/** Writes into files of strangers, outside of the process that answers requests. */
export type AnnotateProcess = {
  /**
   * Makes a document, one at a time; it lies in the job's folder then.
   *
   * @param whose one person's documents take turns with everybody else's
   * @throws {Error} when the process was ended from outside, or is being closed.
   */
  annotate(job: AnnotateJob, whose: string): Promise<AnnotateAnswer>;
  /** Ends the process in the middle of what it does. */
  close(): Promise<void>;
};

/** @param options deadline of one document in milliseconds; the program of the process. */
export function annotateProcess({
  deadline = 30 * second,
  program = resolve("app/reviews/annotated/annotate-child.server.ts"),
} = {}): AnnotateProcess {
  const { run, close } = oneAtATime<AnnotateJob, AnnotateAnswer>({
    program,
    deadline,
    // The decoder of pictures is no WebAssembly. Beyond what it makes the process writes nothing.
    permissions: ({ folder }) => ["--allow-addons", `--allow-fs-write=${join(folder, madeFile)}`],
  });
  return {
    async annotate(job, whose) {
      const answer = await run(job, whose);
      if ("problem" in answer) throw new Error(`A PDF cannot be annotated: ${answer.problem}`);
      return answer;
    },
    close,
  };
}

import { join } from "node:path";
import { second } from "../../platform/clock.ts";
import { getChildProgram, createJobQueue } from "../child-process.server.ts";
import { flaws } from "../finding.ts";
import type { RenderAnswer, RenderedPage, RenderJob } from "./render-file.server.ts";
import { missingPages } from "./rendering.ts";

/** Renders files of strangers, outside of the process that answers requests. */
export type RenderProcess = {
  /**
   * Renders the pages of a file, one file at a time.
   *
   * @param hear is told of each page once its pictures lie in the job's folder
   * @returns what is missing in a sentence, or null when every page was rendered that is to be.
   * @throws {Error} when the process was ended from outside, or is being closed.
   */
  render(job: RenderJob, whose: string, hear: (page: RenderedPage) => void): Promise<string | null>;
  /** Ends the process in the middle of what it does. */
  close(): Promise<void>;
};

/** @param options deadline of one file in milliseconds; the program of the process. */
export function renderProcess({
  deadline = 30 * second,
  program = getChildProgram("app/files/render/render-child.server.ts"),
} = {}): RenderProcess {
  const { run, close } = createJobQueue<RenderJob, RenderAnswer>({
    program,
    deadline,
    // The encoder of pictures is no WebAssembly. Beyond its folder the process writes nothing.
    permissions: ({ folder }) => ["--allow-addons", `--allow-fs-write=${join(folder, "*")}`],
    isLast: (answer) => !("page" in answer),
  });
  return {
    async render(job, whose, hear) {
      let { after } = job;
      const tell = (told: RenderAnswer) => {
        if (!("page" in told)) return;
        after = told.page.number;
        hear(told.page);
      };
      let answer = await run(job, whose, tell);
      // Runs in a new process with the same limits: an engine that crashed is not used again.
      if ("crashed" in answer && answer.crashed && !job.rewrite)
        answer = await run({ ...job, after, rewrite: true }, whose, tell);
      if ("problem" in answer) throw new Error(`Couldn't render a file: ${answer.problem}`);
      return "flaw" in answer ? formatRenderProblem(answer.flaw) : null;
    },
    close,
  };
}

/** The limits of the process speak of opening; here some pages may be there. */
function formatRenderProblem(flaw: string): string {
  if (flaw === flaws.oversized) return missingPages.oversized;
  return flaw === flaws.slow ? missingPages.slow : flaw;
}

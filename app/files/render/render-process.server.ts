import { join } from "node:path";
import { second } from "../../platform/clock.ts";
import { getChildProgram, createJobQueue } from "../child-process.server.ts";
import { fileProblems } from "../finding.ts";
import type { RenderAnswer, RenderedPage, RenderJob } from "./render-file.server.ts";
import { missingPages } from "./rendering.ts";

export type RenderProcess = ReturnType<typeof renderProcess>;

/**
 * Renders untrusted files in a process separate from the one that answers requests.
 *
 * @param options the time limit for one file in milliseconds, and the program of the process.
 */
export function renderProcess({
  deadline = 30 * second,
  program = getChildProgram("app/files/render/render-child.server.ts"),
} = {}) {
  const { run, close } = createJobQueue<RenderJob, RenderAnswer>({
    program,
    deadline,
    // The picture encoder is a native addon. The process may write only to its folder.
    permissions: ({ folder }) => ["--allow-addons", `--allow-fs-write=${join(folder, "*")}`],
    isLast: (answer) => !("page" in answer),
  });
  return {
    /**
     * Renders the pages of a file, one file at a time.
     *
     * @param onPage called for each page once its pictures are in the job's folder
     * @returns a sentence about missing pages, or null if every page was rendered
     * @throws {Error} if the process was killed or is being closed.
     */
    async render(job: RenderJob, owner: string, onPage: (page: RenderedPage) => void) {
      let { after } = job;
      const onAnswer = (answer: RenderAnswer) => {
        if (!("page" in answer)) return;
        after = answer.page.number;
        onPage(answer.page);
      };
      let answer = await run(job, owner, onAnswer);
      // Retries in a new process with the same limits, since a crashed engine must not be used again.
      if ("crashed" in answer && answer.crashed && !job.rewrite)
        answer = await run({ ...job, after, rewrite: true }, owner, onAnswer);
      if ("failure" in answer) throw new Error(`Couldn't render a file: ${answer.failure}`);
      return "problem" in answer ? formatRenderProblem(answer.problem) : null;
    },
    close,
  };
}

/** Replaces the messages about opening a file, since some pages may be rendered. */
function formatRenderProblem(problem: string): string {
  if (problem === fileProblems.oversized) return missingPages.oversized;
  return problem === fileProblems.slow ? missingPages.slow : problem;
}

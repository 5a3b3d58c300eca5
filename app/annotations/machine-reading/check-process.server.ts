import { createContext } from "react-router";
import { createJobQueue, getChildProgram } from "../../files/child-process.server.ts";
import { second } from "../../platform/clock.ts";
import { Invalid } from "../../platform/errors.ts";
import { fileProblems } from "../../files/finding.ts";
import type { FileCheckAnswer, FileCheckJob } from "./check-file.server.ts";

/** For screens: `context.get(fileChecks)` */
export const fileChecks = createContext<ReturnType<typeof createFileChecks>>();

/**
 * Checks files of strangers, in a process that no customer's file uses. Nothing is stored.
 *
 * @param options the time limit for one file in milliseconds, and the program of the process.
 */
export function createFileChecks({
  deadline = 15 * second,
  program = getChildProgram("app/annotations/machine-reading/check-child.server.ts"),
} = {}) {
  const { run, close } = createJobQueue<FileCheckJob, FileCheckAnswer>({
    program,
    deadline,
    sendsBytes: true,
  });
  let isBusy = false;
  return {
    /**
     * Receives a file and checks what software reads in it.
     *
     * @param receive returns the file's name and bytes
     * @returns null while another file is received or checked
     * @throws {Invalid} if the file cannot be checked, with the reason for field "file".
     * @throws {Error} if the process was killed or is being closed.
     */
    async check(receive: () => Promise<{ name: string; bytes: Buffer }>) {
      if (isBusy) return null;
      isBusy = true;
      try {
        const { name, bytes } = await receive();
        let answer = await run({ bytes }, "");
        // Retries in a new process with the same limits, since a crashed engine must not be used again.
        if ("crashed" in answer && answer.crashed) answer = await run({ bytes, rewrite: true }, "");
        if ("failure" in answer) throw new Error(`Couldn't check a file: ${answer.failure}`);
        if ("problem" in answer) throw new Invalid({ file: addWayOut(answer.problem) });
        return { name, reading: answer.reading };
      } finally {
        isBusy = false;
      }
    },
    close,
  };
}

/** The next step after each problem with a file. */
const waysOut: Readonly<Record<string, string>> = {
  [fileProblems.notPdf]: "Save your resume as a PDF and choose that file.",
  [fileProblems.password]: "Save it without a password and check it again.",
  [fileProblems.incomplete]: "Save it as a PDF again and check the new file.",
  [fileProblems.oversized]: "Save it with smaller pictures and check it again.",
  [fileProblems.slow]: "Save it with fewer or simpler drawings and check it again.",
};

function addWayOut(problem: string): string {
  return [problem, waysOut[problem]].filter(Boolean).join(" ");
}

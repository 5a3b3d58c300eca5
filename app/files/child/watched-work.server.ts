import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { second } from "../../platform/clock.ts";
import { flaws } from "../inspect/finding.ts";

/** How an attempt ends that gave no answer: by what the file is, or by a fault of ours. */
export type NoAnswer = { flaw: string } | { problem: string };

/** Of the whole process, in bytes. */
const memoryLimit = 700 * 1_048_576;
/** Of JavaScript alone, in megabytes; bytes of files do not count. */
const heapLimit = 256;
const watchEvery = second / 40;

/**
 * What a child process is, that does one job with a file of a stranger. Its main thread does nothing but
 * watch, so that it notices whatever the other thread is busy with: that this needs too much memory, or
 * that the product is gone.
 *
 * @param program the file that calls this, which is what the other thread runs as well
 * @param work does the job; what it tells goes out at once, what it gives comes last
 */
export async function doWatched<Answer extends object>(
  program: string,
  work: (job: never, tell: (answer: Answer) => void) => Promise<Answer>,
): Promise<void> {
  if (isMainThread) return watch(program);
  const tell = (answer: Answer) => parentPort!.postMessage(answer, []);
  tell(await work(workerData as never, tell));
}

function watch(program: string): void {
  // An ordinary exit would wait for the other thread.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.once("message", (job) => {
    const thread = new Worker(program, {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
    });
    thread.on("message", answer);
    thread.once("error", (error) => answer(whyFailed(error)));
    setInterval(() => {
      if (process.memoryUsage.rss() > memoryLimit) answer({ flaw: flaws.oversized });
    }, watchEvery);
  });
}

/** Whoever gets the last one ends this process. */
function answer(found: object): void {
  process.send?.(found);
}

function whyFailed(error: unknown): NoAnswer {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return { flaw: flaws.oversized };
  return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

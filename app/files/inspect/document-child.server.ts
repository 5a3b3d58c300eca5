import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { second } from "../../platform/clock.ts";
import { type DocumentJob, inspectDocument } from "./document.server.ts";
import { type Finding, flaws } from "./finding.ts";

/**
 * The child process that looks at one document and ends. Its main thread does nothing but watch, so
 * that it can end the process whatever the other thread is busy with: when that needs too much
 * memory, or when the product is gone.
 */
export type DocumentAnswer =
  | { finding: Finding | null }
  /** What became of the attempt to look at it. */
  | { flaw: string }
  | { problem: string };

/** Of the whole process, in bytes. */
const memoryLimit = 700 * 1_048_576;
/** Of JavaScript alone, in megabytes; bytes of files do not count. */
const heapLimit = 256;
const watchEvery = second / 40;

if (isMainThread) watch();
else await work(workerData as DocumentJob);

function watch(): void {
  process.on("disconnect", () => process.exit());
  process.once("message", (job: DocumentJob) => {
    const thread = new Worker(import.meta.filename, {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
    });
    thread.once("message", answer);
    thread.once("error", (error) => answer(whyFailed(error)));
    setInterval(() => {
      if (process.memoryUsage.rss() > memoryLimit) answer({ flaw: flaws.oversized });
    }, watchEvery);
  });
}

/** Whoever gets it ends this process. */
function answer(found: DocumentAnswer): void {
  process.send?.(found);
}

function whyFailed(error: unknown): DocumentAnswer {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return { flaw: flaws.oversized };
  return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

async function work(job: DocumentJob): Promise<void> {
  parentPort?.postMessage({ finding: await inspectDocument(job) } satisfies DocumentAnswer, []);
}

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { second } from "../../platform/clock.ts";
import type { DocumentJob } from "./document.server.ts";
import { type Finding, flaws } from "./finding.ts";

/**
 * What the child process answers, which looks at one document. Its main thread does nothing but watch,
 * so that it notices whatever the other thread is busy with: that this needs too much memory, or that
 * the product is gone.
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
  // An ordinary exit would wait for the other thread.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
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
  // Only here: the watching thread would be slower to start with all that reads documents.
  const { inspectDocument } = await import("./document.server.ts");
  parentPort?.postMessage({ finding: await inspectDocument(job) } satisfies DocumentAnswer, []);
}

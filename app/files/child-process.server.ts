import { type ChildProcess, fork } from "node:child_process";
import { basename, resolve } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { second } from "../platform/clock.ts";
import { flaws } from "./finding.ts";

/** Does jobs with files of strangers, outside of the process that answers requests. */
type OneAtATime<Job, Answer> = {
  /**
   * Does a job. One person's jobs take turns with everybody else's.
   *
   * @param hear is told every answer but the last, at once
   * @returns the last answer, once the process is gone.
   * @throws {Error} when this is being closed.
   */
  run(job: Job, whose: string, hear?: (answer: Answer) => void): Promise<Answer | NoAnswer>;
  /** Ends the process in the middle of what it does. */
  close(): Promise<void>;
};

/** The end of an attempt without an answer: the file is at fault, or we are. */
export type NoAnswer = { flaw: string } | { problem: string };

type Options<Job, Answer> = {
  /** The program of the process: a file that calls `runWatchedJob`. */
  program: string;
  /** The limit for one job, in milliseconds. */
  deadline: number;
  /** Permissions beyond reading files, as options of Node. */
  permissions?: (job: Job) => string[];
  isLast?: (answer: Answer | NoAnswer) => boolean;
};

type Turn<Job, Answer> = {
  job: Job;
  hear: (answer: Answer) => void;
  resolve(answer: Answer | NoAnswer): void;
  reject(error: Error): void;
};

/**
 * Runs one job at a time, each in its own process: nothing of one file reaches the next, and its memory is
 * freed.
 */
export function createJobQueue<Job extends object, Answer extends object>(
  options: Options<Job, Answer>,
): OneAtATime<Job, Answer> {
  const waiting = new Map<string, Turn<Job, Answer>[]>();
  let child: ChildProcess | null = null;
  let closed = false;

  function next(): void {
    const turn = child ? null : findNextTurn(waiting);
    if (!turn) return;
    try {
      child = start(options, turn.job);
    } catch (error) {
      // Most failures to start one come as an event; that there is no memory for it is thrown.
      turn.resolve({ problem: (error as Error).message });
      return next();
    }
    runJob(child, turn, options)
      .then(turn.resolve, turn.reject)
      .finally(() => {
        child = null;
        next();
      });
  }

  return {
    run(job, whose, hear = () => {}) {
      if (closed) return Promise.reject(new Error(shutdownMessage));
      return new Promise((resolve, reject) => {
        const turns = waiting.get(whose) ?? [];
        turns.push({ job, hear, resolve, reject });
        waiting.set(whose, turns);
        next();
      });
    },
    async close() {
      closed = true;
      for (const { reject } of [...waiting.values()].flat()) reject(new Error(shutdownMessage));
      waiting.clear();
      if (child) await waitForKill(child);
    },
  };
}

export const shutdownMessage = "The app is shutting down.";

/** It writes nothing, starts nothing and reaches no network; its environment holds no secret. */
const readingOnly = ["--permission", "--allow-fs-read=*", "--allow-worker", "--no-warnings"];

function start<Job, Answer>(
  { program, permissions }: Options<Job, Answer>,
  job: Job,
): ChildProcess {
  return forkReader(program, permissions?.(job));
}

/**
 * Starts a process that may read files and nothing else.
 *
 * @param permissions what it may do beyond that, as options of Node
 */
export function forkReader(program: string, permissions: string[] = []): ChildProcess {
  return fork(program, {
    execArgv: [...readingOnly, ...permissions],
    env: {},
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** The next job of the person whose turn it is, who then comes after all others. */
export function findNextTurn<Turn>(waiting: Map<string, Turn[]>): Turn | null {
  for (const [whose, turns] of waiting) {
    waiting.delete(whose);
    const turn = turns.shift();
    if (turns.length > 0) waiting.set(whose, turns);
    if (turn) return turn;
  }
  return null;
}

/** Resolves once the process is gone. */
async function runJob<Job extends object, Answer extends object>(
  child: ChildProcess,
  { job, hear }: Turn<Job, Answer>,
  { deadline, isLast = () => true }: Options<Job, Answer>,
): Promise<Answer | NoAnswer> {
  const answer = await new Promise<Answer | NoAnswer>((resolve) => {
    const late = setTimeout(() => resolve({ flaw: flaws.slow }), deadline);
    child.once("exit", () => clearTimeout(late));
    child.on("message", (told: Answer) => (isLast(told) ? resolve(told) : hear(told)));
    child.once("error", ({ message }) => resolve({ problem: message }));
    child.once("exit", (code, signal) =>
      resolve({ problem: `its process ended (${signal ?? `code ${code}`})` }),
    );
    child.send(job, () => {});
  });
  child.removeAllListeners("message");
  await waitForKill(child);
  return answer;
}

export function waitForKill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      resolve();
      return;
    }
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/**
 * The file that a child process runs: the source itself, or what the build made of it where this, too, runs
 * from the build.
 *
 * @param source its path below the project
 */
export function getChildProgram(source: string): string {
  const isBuilt = import.meta.filename.endsWith(".js");
  return resolve(isBuilt ? `build/server/${getBuiltProgram(source)}` : source);
}

/**
 * Returns the file name of a program in the build: "app/files/render/render-child.server.ts" is
 * "render-child.js".
 */
export function getBuiltProgram(source: string): string {
  return `${basename(source, ".server.ts")}.js`;
}

/** The memory limit of the whole process, in bytes. */
const memoryLimit = 700 * 1_048_576;
/** The limit for JavaScript alone, in megabytes; bytes of files do not count. */
export const heapLimit = 256;
const watchEvery = second / 40;

/**
 * Runs one job with an untrusted file in a child process. The main thread only watches, so that it notices when
 * the other thread needs too much memory or the product has ended.
 *
 * @param program the file that calls this, which is what the other thread runs as well
 * @param work does the job; what it reports goes out at once, what it gives comes last
 */
export async function runWatchedJob<Answer extends object>(
  program: string,
  work: (job: never, report: (answer: Answer) => void) => Promise<Answer>,
): Promise<void> {
  if (isMainThread) return watch(program);
  const report = (answer: Answer) => parentPort!.postMessage(answer, []);
  report(await work(workerData as never, report));
}

function watch(program: string): void {
  watchProcess(answer);
  process.once("message", (job) => {
    const thread = new Worker(program, {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
    });
    thread.on("message", answer);
    thread.once("error", (error) => answer(describeFailure(error)));
  });
}

/** Ends this process with the product, and tells when it needs too much memory. */
export function watchProcess(tell: (answer: NoAnswer) => void): void {
  // An ordinary exit would wait for the other thread.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryLimit) tell({ flaw: flaws.oversized });
  }, watchEvery);
}

/** The process ends once the answer has been received. */
function answer(found: object): void {
  process.send?.(found);
}

export function describeFailure(error: unknown): NoAnswer {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return { flaw: flaws.oversized };
  return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

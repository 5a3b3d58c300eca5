import { type ChildProcess, fork, type SerializationType } from "node:child_process";
import { basename, resolve } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { second } from "../platform/clock.ts";
import { fileProblems } from "./finding.ts";

/** Runs jobs with untrusted files in a process separate from the one that answers requests. */
type JobQueue<Job, Answer> = {
  /**
   * Runs a job. The owners of waiting jobs take turns.
   *
   * @param onAnswer called with every answer except the last, as soon as it arrives
   * @returns the last answer, once the process has ended
   * @throws {Error} while the queue is being closed.
   */
  run(job: Job, owner: string, onAnswer?: (answer: Answer) => void): Promise<Answer | NoAnswer>;
  /** Ends the process immediately. */
  close(): Promise<void>;
};

/** An attempt without an answer, because of the file (`problem`) or a bug (`failure`). */
export type NoAnswer = { problem: string } | { failure: string };

type Options<Job, Answer> = {
  /** The program of the process, a file that calls `runWatchedJob`. */
  program: string;
  /** The limit for one job, in milliseconds. */
  deadline: number;
  /** Permissions beyond reading files, as options of Node. */
  permissions?: (job: Job) => string[];
  isLast?: (answer: Answer | NoAnswer) => boolean;
  /** True if jobs contain bytes, which cannot be sent as JSON. */
  sendsBytes?: boolean;
};

type Turn<Job, Answer> = {
  job: Job;
  onAnswer: (answer: Answer) => void;
  resolve(answer: Answer | NoAnswer): void;
  reject(error: Error): void;
};

/** Runs one job at a time, each in its own process, so that no file affects the next and its memory is freed. */
export function createJobQueue<Job extends object, Answer extends object>(
  options: Options<Job, Answer>,
): JobQueue<Job, Answer> {
  const waiting = new Map<string, Turn<Job, Answer>[]>();
  let child: ChildProcess | null = null;
  let closed = false;

  function next(): void {
    const turn = child ? null : findNextTurn(waiting);
    if (!turn) return;
    try {
      const { program, permissions, sendsBytes } = options;
      child = forkReader(program, permissions?.(turn.job), sendsBytes ? "advanced" : "json");
    } catch (error) {
      // Most failures to start a process are events, but a lack of memory is thrown.
      turn.resolve({ failure: (error as Error).message });
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
    run(job, owner, onAnswer = () => {}) {
      if (closed) return Promise.reject(new Error(shutdownMessage));
      return new Promise((resolve, reject) => {
        const turns = waiting.get(owner) ?? [];
        turns.push({ job, onAnswer, resolve, reject });
        waiting.set(owner, turns);
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

/** The process can't write, start processes or use the network, and its environment has no secrets. */
const readOnlyOptions = ["--permission", "--allow-fs-read=*", "--allow-worker", "--no-warnings"];

/**
 * Starts a process that may only read files.
 *
 * @param permissions further permissions, as options of Node
 * @param serialization of messages to and from the process
 */
export function forkReader(
  program: string,
  permissions: string[] = [],
  serialization: SerializationType = "json",
): ChildProcess {
  return fork(program, {
    execArgv: [...readOnlyOptions, ...permissions],
    serialization,
    env: {},
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Returns the next job of the first owner, who then moves behind all others. */
export function findNextTurn<Turn>(waiting: Map<string, Turn[]>): Turn | null {
  for (const [owner, turns] of waiting) {
    waiting.delete(owner);
    const turn = turns.shift();
    if (turns.length > 0) waiting.set(owner, turns);
    if (turn) return turn;
  }
  return null;
}

/** Resolves once the process has ended. */
async function runJob<Job extends object, Answer extends object>(
  child: ChildProcess,
  { job, onAnswer }: Turn<Job, Answer>,
  { deadline, isLast = () => true }: Options<Job, Answer>,
): Promise<Answer | NoAnswer> {
  const answer = await new Promise<Answer | NoAnswer>((resolve) => {
    const timer = setTimeout(() => resolve({ problem: fileProblems.slow }), deadline);
    child.once("exit", () => clearTimeout(timer));
    child.on("message", (message: Answer) =>
      isLast(message) ? resolve(message) : onAnswer(message),
    );
    child.once("error", ({ message }) => resolve({ failure: message }));
    child.once("exit", (code, signal) =>
      resolve({ failure: `its process ended (${signal ?? `code ${code}`})` }),
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
 * Returns the file that a child process runs: the source, or its build if this module is built too.
 *
 * @param source its path in the project
 */
export function getChildProgram(source: string): string {
  const isBuilt = import.meta.filename.endsWith(".js");
  return resolve(isBuilt ? `build/server/${getBuiltProgram(source)}` : source);
}

/**
 * Returns the file name of a program in the build: "app/files/render/render-child.server.ts" → "render-child.js".
 */
export function getBuiltProgram(source: string): string {
  return `${basename(source, ".server.ts")}.js`;
}

/** The memory limit of the process, in bytes. */
const memoryLimit = 700 * 1_048_576;
/** The limit for JavaScript in megabytes, without the bytes of files. */
export const heapLimit = 256;
const watchInterval = second / 40;

/**
 * Runs one job with an untrusted file in a child process. The main thread only watches for too much memory and for the
 * end of the parent process.
 *
 * @param program the calling file, which the worker thread runs as well
 * @param work runs the job. Reports are sent immediately, the result last.
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

/** Ends this process with its parent, and reports when it needs too much memory. */
export function watchProcess(report: (answer: NoAnswer) => void): void {
  // An ordinary exit would wait for the worker thread.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryLimit) report({ problem: fileProblems.oversized });
  }, watchInterval);
}

/** Sends an answer. The parent ends this process once it has received it. */
function answer(message: object): void {
  process.send?.(message);
}

export function describeFailure(error: unknown): NoAnswer {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return { problem: fileProblems.oversized };
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

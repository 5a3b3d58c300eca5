import type { ChildProcess } from "node:child_process";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { minute, second } from "../platform/clock.ts";
import { TooMany } from "../platform/errors.ts";
import {
  shutdownMessage,
  forkReader,
  heapLimit,
  waitForKill,
  type NoAnswer,
  findNextTurn,
  watchProcess,
  describeFailure,
} from "./child-process.server.ts";
import { fileProblems } from "./finding.ts";

/** Runs jobs with trusted data in a separate process that is reused between jobs. */
type LongLivedProcess<Job, Answer> = {
  /**
   * Runs a job. The owners of waiting jobs take turns.
   *
   * @throws {TooMany} if too many jobs are waiting.
   * @throws {Error} while this is being closed.
   */
  run(job: Job, owner: string): Promise<Answer | NoAnswer>;
  /** Ends the process immediately. */
  close(): Promise<void>;
};

type Options = {
  /** The program of the process, a file that calls `serveJobs`. */
  program: string;
  /** The time limit for one job, in milliseconds. */
  deadline: number;
  /** The idle time in milliseconds after which the process ends. */
  idleAfter?: number;
  maxWaiting?: number;
  /** The number of jobs after which the process is replaced, to limit leaks. */
  maxJobs?: number;
};

type Turn<Job, Answer> = {
  job: Job;
  resolve(answer: Answer | NoAnswer): void;
  reject(error: Error): void;
};

type Running = { child: ChildProcess; jobs: number };

/**
 * Runs one job at a time in a process that is reused, for jobs with trusted content that take far less time than
 * starting a process. The process starts with the first job, is replaced when it dies, hangs or needs too much memory,
 * and ends after a while without jobs. A job whose process died is retried once in a new one.
 */
export function createLongLivedProcess<Job extends object, Answer extends object>({
  program,
  deadline,
  idleAfter = minute,
  maxWaiting = 100,
  maxJobs = 1000,
}: Options): LongLivedProcess<Job, Answer> {
  const waiting = new Map<string, Turn<Job, Answer>[]>();
  let running: Running | null = null;
  let idle: NodeJS.Timeout | undefined;
  let isBusy = false;
  let closed = false;

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(idle);
    for (let turn = findNextTurn(waiting); turn; turn = findNextTurn(waiting)) {
      const { job, resolve, reject } = turn;
      const answer = await attempt(job).catch((error: Error) => ({ failure: error.message }));
      if (closed) reject(new Error(shutdownMessage));
      else resolve(answer);
    }
    isBusy = false;
    idle = setTimeout(() => void end(), idleAfter).unref();
  }

  async function attempt(job: Job): Promise<Answer | NoAnswer> {
    const answer = await ask(job);
    const hasDied = "died" in answer;
    if (hasDied && !closed) return toNoAnswer(await ask(job));
    return toNoAnswer(answer);
  }

  async function ask(job: Job): Promise<Answer | NoAnswer | Death> {
    running ??= { child: startWatchedProcess(program), jobs: 0 };
    running.jobs += 1;
    const { child } = running;
    setKeepAlive(child, true);
    const answer = await runSharedJob<Answer>(child, job, deadline);
    setKeepAlive(child, false);
    const hasFailed = "died" in answer || "problem" in answer || "failure" in answer;
    if (hasFailed || running.jobs >= maxJobs) await end();
    return answer;
  }

  async function end(): Promise<void> {
    const last = running;
    running = null;
    if (last) await waitForKill(last.child);
  }

  return {
    run(job, owner) {
      if (closed) return Promise.reject(new Error(shutdownMessage));
      const waitingNow = [...waiting.values()].reduce((sum, turns) => sum + turns.length, 0);
      if (waitingNow >= maxWaiting) return Promise.reject(new TooMany(minute / second));
      return new Promise((resolve, reject) => {
        waiting.set(owner, [...(waiting.get(owner) ?? []), { job, resolve, reject }]);
        void work();
      });
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      for (const { reject } of [...waiting.values()].flat()) reject(new Error(shutdownMessage));
      waiting.clear();
      await end();
    },
  };
}

function startWatchedProcess(program: string): ChildProcess {
  // Without a listener, an error between two jobs would be thrown.
  return forkReader(program).on("error", () => {});
}

/** Lets this process end while the child has no job. */
function setKeepAlive(child: ChildProcess, isBusy: boolean): void {
  if (isBusy) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** The process ended without an answer, for example because it was killed. */
type Death = { died: string };

function toNoAnswer<Answer extends object>(answer: Answer | Death): Answer | NoAnswer {
  return "died" in answer ? { failure: answer.died } : answer;
}

async function runSharedJob<Answer extends object>(
  child: ChildProcess,
  job: object,
  deadline: number,
): Promise<Answer | NoAnswer | Death> {
  const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer | Death>();
  const onExit = (code: number | null, signal: string | null) =>
    resolve({ died: `its process ended (${signal ?? `code ${code}`})` });
  const onError = ({ message }: Error) => resolve({ died: message });
  const timer = setTimeout(() => resolve({ problem: fileProblems.slow }), deadline);
  child.once("message", resolve).once("exit", onExit).once("error", onError);
  if (child.exitCode !== null || child.signalCode !== null)
    onExit(child.exitCode, child.signalCode);
  else child.send(job, (error) => error && resolve({ died: error.message }));
  const answer = await promise;
  clearTimeout(timer);
  child.off("message", resolve).off("exit", onExit).off("error", onError);
  return answer;
}

/**
 * Runs jobs inside the process. The main thread only watches for too much memory and for the end of the parent process,
 * even while the worker thread is busy.
 *
 * @param program the calling file, which the worker thread runs as well
 * @param work runs one job
 */
export function serveJobs(program: string, work: (job: never) => Promise<object>): void {
  if (isMainThread) {
    const send = (answer: object) => void process.send?.(answer);
    const thread = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: heapLimit } });
    thread.on("message", send);
    thread.once("error", (error) => send(describeFailure(error)));
    process.on("message", (job) => thread.postMessage(job, []));
    watchProcess(send);
    return;
  }
  parentPort!.on("message", (job) => {
    work(job as never).then(
      (answer) => parentPort!.postMessage(answer, []),
      (error: unknown) => parentPort!.postMessage(describeFailure(error), []),
    );
  });
}

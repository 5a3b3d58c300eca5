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
import { flaws } from "./finding.ts";

/** Does jobs of our own data outside of the process that answers requests, in a process that stays between them. */
export type LongLivedProcess<Job, Answer> = {
  /**
   * Does a job. One person's jobs take turns with everybody else's.
   *
   * @throws {TooMany} when too many jobs wait.
   * @throws {Error} when this is being closed.
   */
  run(job: Job, whose: string): Promise<Answer | NoAnswer>;
  /** Ends the process in the middle of what it does. */
  close(): Promise<void>;
};

type Options = {
  /** The file that the process runs; it calls `serveJobs`. */
  program: string;
  /** The time that one job may take, in milliseconds. */
  deadline: number;
  /** The process ends when it has had no job for so long, in milliseconds. */
  idleAfter?: number;
  mostWaiting?: number;
  /** A new process takes over after so many jobs, so that nothing that one leaves behind adds up. */
  mostJobs?: number;
};

type Turn<Job, Answer> = {
  job: Job;
  resolve(answer: Answer | NoAnswer): void;
  reject(error: Error): void;
};

type Running = { child: ChildProcess; jobs: number };

/**
 * One job at a time, in one process for many: for jobs that take far less time than to start a process, and whose
 * content is ours. It is started for the first job, replaced after it died, hung or needed too much memory, and
 * ended after a while without jobs. A job whose process died under it is tried once more in a new one.
 */
export function createLongLivedProcess<Job extends object, Answer extends object>({
  program,
  deadline,
  idleAfter = minute,
  mostWaiting = 100,
  mostJobs = 1000,
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
      const answer = await attempt(job).catch((error: Error) => ({ problem: error.message }));
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
    const hasFailed = "died" in answer || "flaw" in answer || "problem" in answer;
    if (hasFailed || running.jobs >= mostJobs) await end();
    return answer;
  }

  async function end(): Promise<void> {
    const ended = running;
    running = null;
    if (ended) await waitForKill(ended.child);
  }

  return {
    run(job, whose) {
      if (closed) return Promise.reject(new Error(shutdownMessage));
      const waitingNow = [...waiting.values()].reduce((sum, turns) => sum + turns.length, 0);
      if (waitingNow >= mostWaiting) return Promise.reject(new TooMany(minute / second));
      return new Promise((resolve, reject) => {
        waiting.set(whose, [...(waiting.get(whose) ?? []), { job, resolve, reject }]);
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
  // An error that comes between two jobs would be thrown without a listener.
  return forkReader(program).on("error", () => {});
}

/** Without a job, the child does not keep our process from ending. */
function setKeepAlive(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** The process is gone without a word, as after a kill from outside. */
type Death = { died: string };

function toNoAnswer<Answer extends object>(answer: Answer | Death): Answer | NoAnswer {
  return "died" in answer ? { problem: answer.died } : answer;
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
  const late = setTimeout(() => resolve({ flaw: flaws.slow }), deadline);
  child.once("message", resolve).once("exit", onExit).once("error", onError);
  if (child.exitCode !== null || child.signalCode !== null)
    onExit(child.exitCode, child.signalCode);
  else child.send(job, (error) => error && resolve({ died: error.message }));
  const answer = await promise;
  clearTimeout(late);
  child.off("message", resolve).off("exit", onExit).off("error", onError);
  return answer;
}

/**
 * Runs jobs inside such a process. Its main thread only watches, so it notices too much memory or the end of the
 * product however busy the other thread is.
 *
 * @param program the file that calls this, which is what the other thread runs as well
 * @param work does one job
 */
export function serveJobs(program: string, work: (job: never) => Promise<object>): void {
  if (isMainThread) {
    const tell = (answer: object) => void process.send?.(answer);
    const thread = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: heapLimit } });
    thread.on("message", tell);
    thread.once("error", (error) => tell(describeFailure(error)));
    process.on("message", (job) => thread.postMessage(job, []));
    watchProcess(tell);
    return;
  }
  parentPort!.on("message", (job) => {
    work(job as never).then(
      (answer) => parentPort!.postMessage(answer, []),
      (error: unknown) => parentPort!.postMessage(describeFailure(error), []),
    );
  });
}

import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { second } from "../../platform/clock.ts";
import type { DocumentAnswer } from "./document-child.server.ts";
import type { DocumentJob } from "./document.server.ts";
import { type Finding, flaws } from "./finding.ts";

/** Looks at documents of strangers, outside of the process that answers requests. */
export type DocumentProcess = {
  /**
   * What a file is, if it is a document, and what is wrong with it. The wait is short unless many
   * wait; one person's documents take turns with everybody else's.
   *
   * @throws {Error} when the process was ended from outside, or is being closed.
   */
  inspect(job: DocumentJob, uploaderId: string): Promise<Finding | null>;
  /** Ends the process in the middle of what it does. */
  close(): Promise<void>;
};

type Turn = {
  job: DocumentJob;
  resolve(finding: Finding | null): void;
  reject(error: Error): void;
};

/**
 * One document at a time, each in a process of its own: what one leaves behind never meets the next,
 * and its memory is given back.
 *
 * @param options deadline of one document in milliseconds; the program of the process.
 */
export function documentProcess({
  deadline = 30 * second,
  program = resolve("app/files/inspect/document-child.server.ts"),
} = {}): DocumentProcess {
  const waiting = new Map<string, Turn[]>();
  let child: ChildProcess | null = null;
  let closed = false;

  function next(): void {
    const turn = child ? null : takeTurn(waiting);
    if (!turn) return;
    child = fork(program, {
      execArgv: readingOnly,
      env: {},
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    lookAt(child, turn.job, deadline)
      .then(turn.resolve, turn.reject)
      .finally(() => {
        child = null;
        next();
      });
  }

  return {
    inspect(job, uploaderId) {
      if (closed) return Promise.reject(new Error(closing));
      return new Promise((resolve, reject) => {
        const turns = waiting.get(uploaderId) ?? [];
        turns.push({ job, resolve, reject });
        waiting.set(uploaderId, turns);
        next();
      });
    },
    async close() {
      closed = true;
      for (const { reject } of [...waiting.values()].flat()) reject(new Error(closing));
      waiting.clear();
      if (child) await killed(child);
    },
  };
}

const closing = "The product is closing.";

/** It writes nothing, starts nothing and reaches no network; its environment holds no secret. */
const readingOnly = ["--permission", "--allow-fs-read=*", "--allow-worker", "--no-warnings"];

/** The next document of the person whose turn it is, who then comes after all others. */
function takeTurn(waiting: Map<string, Turn[]>): Turn | null {
  for (const [uploaderId, turns] of waiting) {
    waiting.delete(uploaderId);
    const turn = turns.shift();
    if (turns.length > 0) waiting.set(uploaderId, turns);
    if (turn) return turn;
  }
  return null;
}

/** Resolves or rejects once the process is gone. */
async function lookAt(
  child: ChildProcess,
  job: DocumentJob,
  deadline: number,
): Promise<Finding | null> {
  const answer = await answerOf(child, job, deadline);
  await killed(child);
  if ("problem" in answer) throw new Error(`A document cannot be looked at: ${answer.problem}`);
  return "flaw" in answer ? { kind: job.kind, flaw: answer.flaw } : answer.finding;
}

function answerOf(
  child: ChildProcess,
  job: DocumentJob,
  deadline: number,
): Promise<DocumentAnswer> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve({ flaw: flaws.slow }), deadline);
    child.once("exit", () => clearTimeout(late));
    child.once("message", (answer) => resolve(answer as DocumentAnswer));
    child.once("error", ({ message }) => resolve({ problem: message }));
    child.once("exit", (code, signal) =>
      resolve({ problem: `its process ended (${signal ?? `code ${code}`})` }),
    );
    child.send(job, () => {});
  });
}

function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      resolve();
      return;
    }
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

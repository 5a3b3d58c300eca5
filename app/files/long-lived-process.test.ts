import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownFolder } from "../../tests/support/product/own-folder.ts";
import { hour, second } from "../platform/clock.ts";
import { TooMany } from "../platform/errors.ts";
import { fileProblems } from "./finding.ts";
import { createLongLivedProcess } from "./long-lived-process.server.ts";

const folder = ownFolder();
type Job = { do?: "hang" | "die" | "fill" | "throw"; wait?: number };
type Answer = { pid: number };

/** Starts a program whose jobs do what they say. */
async function start(options: Partial<Parameters<typeof createLongLivedProcess>[0]> = {}) {
  const program = join(folder, `jobs-${randomUUID()}.mjs`);
  const served = join(import.meta.dirname, "long-lived-process.server.ts");
  await writeFile(
    program,
    `import { serveJobs } from ${JSON.stringify(served)};
     const memory = [];
     serveJobs(import.meta.filename, async (job) => {
       if (job.wait) await new Promise((done) => setTimeout(done, job.wait));
       if (job.do === "hang") for (;;);
       if (job.do === "die") process.kill(process.pid, "SIGKILL");
       if (job.do === "fill") for (;;) memory.push(Array.from({ length: 100000 }, () => ({})));
       if (job.do === "throw") throw new Error("no receipt");
       return { pid: process.pid };
     });`,
  );
  const jobs = createLongLivedProcess<Job, Answer>({ program, deadline: hour, ...options });
  onTestFinished(() => jobs.close());
  const pidOf = async (job: Job = {}, whose = "asha") =>
    ((await jobs.run(job, whose)) as Answer).pid;
  return { ...jobs, program, pidOf };
}

test("one process runs many jobs, and owners take turns", async () => {
  const { run, pidOf } = await start();
  const done: string[] = [];
  const ask = (whose: string) => run({ wait: 5 }, whose).then(() => done.push(whose));
  await Promise.all([...["ravi", "ravi", "ravi", "ravi"].map(ask), ask("asha"), ask("sonia")]);
  expect(done).toEqual(["ravi", "ravi", "asha", "sonia", "ravi", "ravi"]);
  expect(await pidOf()).toBe(await pidOf());
});

test("a process killed between jobs is replaced without a failure", async () => {
  const { pidOf } = await start();
  const first = await pidOf();
  process.kill(first, "SIGKILL");
  await expect.poll(() => isRunning(first)).toBe(false);
  const next = await pidOf();
  expect(next).not.toBe(first);
});

test("a job whose process is killed is retried in a new one", async () => {
  const { pidOf } = await start();
  const first = await pidOf();
  const under = pidOf({ wait: 300 });
  const after = pidOf({}, "ravi");
  process.kill(first, "SIGKILL");
  expect(await under).not.toBe(first);
  expect(await after).toBe(await under);
});

test("a job that kills its process fails alone, after two tries", async () => {
  const { run, pidOf } = await start();
  const [killed, next] = [run({ do: "die" }, "asha"), pidOf({}, "ravi")];
  expect(await killed).toEqual({ failure: expect.stringContaining("SIGKILL") });
  expect(await next).toEqual(expect.any(Number));
});

test("a job that hangs fails alone at the deadline", async () => {
  const { run, pidOf } = await start({ deadline: 2 * second });
  /** On a busy computer, the deadline can end the start of a process too. */
  const untilRun = async (): Promise<number> => (await pidOf({}, "ravi")) ?? untilRun();
  const first = await untilRun();
  const [hung, next] = [run({ do: "hang" }, "asha"), untilRun()];
  expect(await hung).toEqual({ problem: fileProblems.slow });
  expect(await next).not.toBe(first);
  expect(isRunning(first)).toBe(false);
});

// Covered by "a job that kills its process".
test("a job that throws or needs too much memory fails alone @slow", async () => {
  const { run, pidOf } = await start();
  expect(await run({ do: "fill" }, "asha")).toEqual({ problem: fileProblems.oversized });
  expect(await run({ do: "throw" }, "asha")).toEqual({
    failure: expect.stringContaining("no receipt"),
  });
  expect(await pidOf()).toEqual(expect.any(Number));
});

test("the number of waiting jobs is limited", async () => {
  const { run } = await start({ maxWaiting: 3 });
  const jobs = Array.from({ length: 6 }, () => run({ wait: 50 }, "asha"));
  const answers = await Promise.allSettled(jobs);
  const refused = answers.filter(({ status }) => status === "rejected");
  expect(refused.map((one) => (one as PromiseRejectedResult).reason)).toEqual([
    expect.any(TooMany),
    expect.any(TooMany),
  ]);
});

test("a process ends when idle, and after many jobs", async () => {
  const idle = await start({ idleAfter: 50 });
  const first = await idle.pidOf();
  await expect.poll(() => isRunning(first)).toBe(false);
  expect(await idle.pidOf()).not.toBe(first);
  const busy = await start({ maxJobs: 2 });
  const pids = [await busy.pidOf(), await busy.pidOf(), await busy.pidOf()];
  expect(new Set(pids).size).toBe(2);
});

test("closing ends the current job and refuses waiting ones", async () => {
  const { run, pidOf, close } = await start();
  const pid = await pidOf();
  const both = ["asha", "ravi"].map((who) => run({ do: "hang" }, who));
  const rejections = Promise.all(both.map((one) => expect(one).rejects.toThrow("shutting down")));
  await close();
  await rejections;
  expect(isRunning(pid)).toBe(false);
  await expect(run({}, "asha")).rejects.toThrow("shutting down");
});

// Covered by "closing ends the current job".
test("the child process ends with its parent @slow", async () => {
  const { program } = await start();
  const module = join(import.meta.dirname, "long-lived-process.server.ts");
  const script = (job: Job, after: string) => `
    import { createLongLivedProcess } from ${JSON.stringify(module)};
    const options = { program: ${JSON.stringify(program)}, deadline: 60000 };
    const { pid } = await createLongLivedProcess(options).run(${JSON.stringify(job)}, "asha");
    console.log(pid);
    ${after}`;
  const run = (job: Job, after = "") => ["--input-type=module", "--eval", script(job, after)];
  const pid = Number(execFileSync(process.execPath, run({}), { encoding: "utf8" }));
  await expect.poll(() => isRunning(pid)).toBe(false);

  const product = spawn(process.execPath, run({}, "setInterval(() => {}, 1000);"));
  const output = await new Promise<string>((resolve) =>
    product.stdout.once("data", (data: Buffer) => resolve(data.toString())),
  );
  expect(isRunning(Number(output))).toBe(true);
  product.kill("SIGKILL");
  await expect.poll(() => isRunning(Number(output))).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

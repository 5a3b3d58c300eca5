import { type ChildProcess, spawnSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync } from "node:fs";

/** @returns what it gives, and the most memory that a process for files had meanwhile, in megabytes. */
export async function withMemory<Value>(work: () => Promise<Value>): Promise<[Value, number]> {
  let most = 0;
  const started: ChildProcess[] = [];
  const notice = (message: unknown) => started.push((message as { process: ChildProcess }).process);
  // Node publishes whom it has started: to look for it in a list of all processes costs as much as it does itself.
  subscribe("child_process", notice);
  const watching = setInterval(() => {
    const pid = started.findLast(isForFiles)?.pid;
    if (pid) most = Math.max(most, memoryOf(pid) / 1024);
  }, 50);
  try {
    return [await work(), most];
  } finally {
    clearInterval(watching);
    unsubscribe("child_process", notice);
  }
}

/** Its program is known a moment after Node publishes the process. */
function isForFiles({ spawnargs }: ChildProcess): boolean {
  return spawnargs?.some((arg) => /(?:document|render)-child/.test(arg)) ?? false;
}

/** In kilobytes; nothing once it is gone. Linux knows the most that a process had, others what it has now. */
function memoryOf(pid: number): number {
  if (existsSync("/proc/self/status")) {
    const status = readStatus(pid);
    return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return Number(spawnSync("ps", ["-p", `${pid}`, "-o", "rss="], { encoding: "utf8" }).stdout);
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

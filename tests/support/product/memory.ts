import { type ChildProcess, spawnSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync } from "node:fs";

/** Runs `work`. @returns its result, and the peak memory of a file process meanwhile, in megabytes */
export async function withMemory<Value>(work: () => Promise<Value>): Promise<[Value, number]> {
  let peak = 0;
  const started: ChildProcess[] = [];
  const notice = (message: unknown) => started.push((message as { process: ChildProcess }).process);
  // Node publishes the processes it starts. Searching a list of all processes is expensive.
  subscribe("child_process", notice);
  const watching = setInterval(() => {
    const pid = started.findLast(isForFiles)?.pid;
    if (pid) peak = Math.max(peak, memoryOf(pid) / 1024);
  }, 50);
  try {
    return [await work(), peak];
  } finally {
    clearInterval(watching);
    unsubscribe("child_process", notice);
  }
}

/** `spawnargs` is set only after Node publishes the process. */
function isForFiles({ spawnargs }: ChildProcess): boolean {
  return spawnargs?.some((arg) => /(?:document|render)-child/.test(arg)) ?? false;
}

/** Returns kilobytes; 0 after the process ended. Linux reports the peak, other systems the current use. */
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

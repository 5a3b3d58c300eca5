import { spawnSync } from "node:child_process";

/** @returns what it gives, and the most memory that a process for files had meanwhile, in megabytes. */
export async function withMemory<Value>(work: Promise<Value>): Promise<[Value, number]> {
  let most = 0;
  let watched: string | null = null;
  const watching = setInterval(() => {
    // There is one at a time: to look through all processes each time costs as much as it does itself.
    const which = watched ? ["-p", watched] : ["-A"];
    const args = [...which, "-o", "pid=,ppid=,rss=,args="];
    const { stdout } = spawnSync("ps", args, { encoding: "utf8" });
    const listed = stdout.matchAll(/^ *(\d+) +(\d+) +(\d+) .*(?:document|render)-child/gm);
    const [, pid, , kilobytes] =
      [...listed].find(([, , parent]) => Number(parent) === process.pid) ?? [];
    watched = pid ?? null;
    most = Math.max(most, Number(kilobytes ?? 0) / 1024);
  }, 100);
  const value = await work.finally(() => clearInterval(watching));
  return [value, most];
}

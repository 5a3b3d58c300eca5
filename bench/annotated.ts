import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { formatBytes } from "../app/files/rules.ts";
import { type AnnotateJob, annotatedFile } from "../app/annotations/annotated-pdf/annotate-job.ts";
import { createAnnotateProcess } from "../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import type { NumberedRemark } from "../app/annotations/marked.ts";
import { largePortfolio } from "../tests/support/documents/large-portfolio.ts";

/**
 * `npm run bench -- annotated` measures adding remarks to a large portfolio: the time, the memory of the child
 * process, and the event loop delay of the parent process.
 *
 *   --pages 40
 *   --megabytes 50   approximate size of the file
 *   --remarks 200
 */
const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "40" },
    megabytes: { type: "string", default: "50" },
    remarks: { type: "string", default: "200" },
  },
});
const [pages, megabytes, remarks] = [
  Number(values.pages),
  Number(values.megabytes),
  Number(values.remarks),
] as const;
const folder = await mkdtemp(join(tmpdir(), "naksha-annotated-bench-"));
const annotator = createAnnotateProcess();
try {
  const portfolio = await largePortfolio(pages, megabytes * 1_048_576);
  await writeFile(join(folder, "portfolio.pdf"), portfolio);
  console.log(`A portfolio of ${pages} pages, ${formatBytes(portfolio.length)}\n`);
  for (const count of [1, remarks]) await measure(count, portfolio.length);
} finally {
  await annotator.close();
  await rm(folder, { recursive: true });
}

async function measure(count: number, before: number): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let peak = 0;
  const watch = setInterval(async () => (peak = Math.max(peak, await memoryOfChildren())), 50);
  const startedAt = performance.now();
  const result = await annotator.annotate(jobOf(count), "asha");
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watch);
  delay.disable();
  if (!("bytes" in result)) throw new Error(JSON.stringify(result));
  const { size } = await stat(join(folder, annotatedFile));
  console.log(`${count} remarks: ${seconds.toFixed(1)} s`);
  console.log(`  size relative to the original: ${(size / before).toFixed(3)}`);
  console.log(
    `  child memory relative to the original: ${(peak / before).toFixed(1)} (${formatBytes(peak)})`,
  );
  console.log(`  event loop delay, 99th percentile: ${(delay.percentile(99) / 1e6).toFixed(0)} ms`);
}

function jobOf(count: number): AnnotateJob {
  const all = Array.from({ length: count }, (_, index) => remark(index));
  return {
    folder,
    title: "Portfolio Review",
    productName: "Naksha",
    customer: "Asha Rao",
    signature: "reviewed by Meera · Nov 4, 2026",
    feedback: "The work is solid. Say what changed because of it. ".repeat(20),
    scores: { reasoning: 4, own_part: 2 },
    answers: [],
    unpinned: [],
    secondLook: null,
    originals: [{ part: "portfolio", file: "portfolio.pdf" }],
    sheets: Array.from({ length: pages }, (_, page) => ({
      id: `portfolio-${page + 1}`,
      title: `Portfolio, page ${page + 1} of ${pages}`,
      caption: null,
      width: 960,
      height: 820,
      page: { part: "portfolio", number: page + 1 },
      pictures: [],
      remarks: all.filter((_one, index) => index % pages === page),
    })),
  };
}

function remark(index: number): NumberedRemark {
  return {
    id: String(index),
    number: index + 1,
    target: null,
    area: { x: (index % 7) / 10, y: (index % 9) / 12, width: 0.2, height: 0.05 },
    severity: (["must", "should", "idea", "keep"] as const)[index % 4]!,
    criterion: "reasoning",
    text: "Say what came of it, for whom, and how you know. ".repeat(8),
    quote: "Responsible for the design of the module",
    suggestion: "Cut the steps from nine to four; calls fell by a third.",
    rank: null,
    version: 1,
  };
}

/** Returns the memory of child processes in bytes on Linux; 0 on other systems. */
async function memoryOfChildren(): Promise<number> {
  let sum = 0;
  const tasks = await readdir("/proc/self/task").catch(() => []);
  for (const task of tasks) {
    const ids = await readFile(`/proc/self/task/${task}/children`, "utf8").catch(() => "");
    for (const id of ids.split(" ").filter(Boolean)) {
      const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
      sum += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
    }
  }
  return sum;
}

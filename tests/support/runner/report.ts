import { stripVTControlCharacters } from "node:util";
import type { Ended } from "./run-node.ts";

/** A failed test, with its messages and a way to run it again. */
export type Failure = {
  /** The test's file and title. */
  name: string;
  messages: string[];
  /** Runs this test alone. Absent if a runner failed without naming a test. */
  runAlone?: () => Promise<Count>;
};

/** The result of one runner. */
export type Count = {
  passed?: number;
  failed?: number;
  skipped?: number;
  failures?: Failure[];
};

/**
 * Prints every failure, then the totals on the last line. CI keeps only the end of the output.
 *
 * @returns the exit code: 0 if at least one test passed and none failed
 */
export function printReport(counts: Count[]): number {
  const sum = (name: "passed" | "failed" | "skipped") =>
    counts.reduce((total, count) => total + (count[name] ?? 0), 0);
  const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
  for (const { name, messages } of counts.flatMap(({ failures = [] }) => failures))
    console.log(`\nFailed: ${name}\n${messages.map(firstLines).join("\n")}`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

/** Many failures mean a problem with the machine, which running them again does not solve. */
const mostSecondRuns = 10;

/**
 * Runs each failed test once more, alone. If it passes, it counts as passed and is printed as unsteady, so that
 * someone fixes the cause.
 */
export async function runFailuresAgain(count: Count): Promise<Count> {
  const { failures = [], passed = 0, failed = 0 } = count;
  if (failures.length > mostSecondRuns) return count;
  const unsteady = new Set<Failure>();
  for (const failure of failures) {
    const again = await failure.runAlone?.();
    if (again?.failed || !again?.passed) continue;
    unsteady.add(failure);
    console.log(`\nunsteady: ${failure.name}\n${failure.messages.map(firstLines).join("\n")}`);
  }
  return {
    ...count,
    passed: passed + unsteady.size,
    failed: failed - unsteady.size,
    failures: failures.filter((failure) => !unsteady.has(failure)),
  };
}

/**
 * Adds a failure if the runner failed without naming one: it could not start, or an error was thrown outside a
 * test.
 *
 * @param runner the runner's name, for the report
 */
export function countOf(runner: string, { code, lastErrors }: Ended, count: Count): Count {
  const failures = [...(count.failures ?? [])];
  if (code !== 0 && failures.length === 0)
    failures.push({ name: `${runner} ended with code ${code}`, messages: [lastErrors] });
  return { ...count, failures, failed: Math.max(count.failed ?? 0, failures.length) };
}

const mostLines = 40;

/** Returns the first lines of a message, without stack frames of packages. */
function firstLines(message: string): string {
  const lines = stripVTControlCharacters(message).split("\n");
  return lines
    .filter((line) => line.trim() !== "" && !/^\s+at .*(node_modules|new Promise)/.test(line))
    .slice(0, mostLines)
    .map((line) => `  ${line.slice(0, 1000)}`)
    .join("\n");
}

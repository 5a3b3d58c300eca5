import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../server/embedded-postgres.ts";
import { createWorkTree, type WorkTree } from "./mutations/work-tree.ts";
import { isJourney, runNamedTests, type TestOutcome } from "./mutations/run-named-tests.ts";
import { testFiles } from "./support/product/needs.ts";
import { type Mutation, mutations } from "./support/inventory/mutations.ts";

/**
 * `npm run mutations` proves that `npm test` finds faults. It breaks the last commit in one place at a time, in a
 * separate work tree, and expects the named test to fail.
 *
 * Arguments select mutations by a part of their name: `npm run mutations -- refund`. Exits with 1 if a mutation
 * is not caught or its test could not run.
 */
const root = resolve(import.meta.dirname, "..");
const { positionals } = parseArgs({ allowPositionals: true });
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => interrupted.abort(new Error(`Stopped by ${signal}.`)));

process.exitCode = await main(chooseMutations(positionals));

/** Journeys run last because each one needs a build of the changed code. */
function chooseMutations(parts: string[]): Mutation[] {
  const isChosen = ({ name }: Mutation) =>
    parts.length === 0 || parts.some((part) => name.toLowerCase().includes(part.toLowerCase()));
  const chosen = mutations.filter(isChosen);
  return chosen.toSorted((a, b) => Number(isJourney(a.test)) - Number(isJourney(b.test)));
}

async function main(chosen: Mutation[]): Promise<number> {
  if (chosen.length === 0) {
    console.error(`No mutation's name contains ${positionals.join(" or ")}.`);
    return 1;
  }
  warnOfUncommittedChanges();
  const folder = await mkdtemp(join(tmpdir(), "naksha-mutations-"));
  const tree = createWorkTree(root, join(folder, "tree"));
  const database = chosen.every(needsNoDatabase)
    ? null
    : await startEmbeddedPostgres({ dataDir: folder, log: () => {}, durable: false });
  try {
    const run = { tree, folder, databaseUrl: database?.url, signal: interrupted.signal };
    await checkUnchangedCode(run, chosen);
    let caught = 0;
    for (const mutation of chosen) if (await isCaught(run, mutation)) caught++;
    console.log(`\n${caught} of ${chosen.length} mutations are caught`);
    return caught === chosen.length ? 0 : 1;
  } catch (error) {
    const reason: unknown = interrupted.signal.aborted ? interrupted.signal.reason : error;
    console.error(reason instanceof Error ? reason.message : reason);
    return 1;
  } finally {
    await database?.stop();
    if (database) await rm(database.folder, { recursive: true, force: true });
    tree.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** One PostgreSQL serves all runs, which saves its start time in each. */
function needsNoDatabase({ test }: Mutation): boolean {
  return testFiles().nothing.includes(test.file);
}

function warnOfUncommittedChanges(): void {
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  if (status !== "") console.log("Uncommitted changes are ignored: mutations are based on HEAD.");
}

type Run = {
  tree: WorkTree;
  folder: string;
  databaseUrl: string | undefined;
  signal: AbortSignal;
};

/** @throws {Error} if a test fails on unchanged code: its failure would prove nothing */
async function checkUnchangedCode(run: Run, chosen: Mutation[]): Promise<void> {
  const started = performance.now();
  const tests = chosen.map(({ test }) => test);
  const outcomes = await runNamedTests(run, tests);
  const failed = outcomes.filter(({ hasPassed }) => !hasPassed);
  if (failed.length > 0)
    throw new Error(`These tests fail without a mutation:\n${failed.map(describe).join("\n")}`);
  console.log(`All tests pass on the unchanged code (${secondsSince(started)})`);
}

async function isCaught(run: Run, { name, file, before, after, test }: Mutation): Promise<boolean> {
  const started = performance.now();
  const where = `${name} — ${test.file}: ${test.title}`;
  try {
    run.tree.replace(file, before, after);
    const [outcome] = await runNamedTests(run, [test]);
    const verdict = outcome!.hasPassed ? "MISSED" : "caught";
    console.log(`${verdict}  ${where} (${secondsSince(started)})`);
    return !outcome!.hasPassed;
  } catch (error) {
    if (run.signal.aborted) throw error;
    console.log(`ERROR   ${where} (${secondsSince(started)})`);
    console.log(error instanceof Error ? error.message : error);
    return false;
  } finally {
    run.tree.restore(file);
  }
}

function describe({ test, messages }: TestOutcome): string {
  return `${test.file}: ${test.title}\n${messages.join("\n")}`;
}

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

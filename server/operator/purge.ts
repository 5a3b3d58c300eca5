import type { Command } from "@commander-js/extra-typings";
import { createFileTasks } from "../../app/files/clean-up/file-tasks.server.ts";
import { day, now } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { listUnreferencedFiles } from "../../app/reviews/unreferenced-files.server.ts";
import { deleteExpired } from "../services/tasks.ts";
import { type Answer, type Choose, type Operator, formatTable } from "./command.ts";

/** Adds the command that deletes expired data at once. */
export function addPurgeCommand(program: Command, choose: Choose): void {
  program
    .command("purge")
    .description("forget at once what the product forgets by itself each hour and each night")
    .option("--dry-run", "count, and change nothing", false)
    .action(({ dryRun }) => choose((operator) => (dryRun ? count(operator) : runPurge(operator))));
}

async function runPurge({ app, store, partials }: Operator): Promise<Answer> {
  const forgotten = await deleteExpired(app.db);
  const files: Record<string, number> = {};
  for (const task of createFileTasks({ store, partials, unreferencedFiles: listUnreferencedFiles }))
    Object.assign(files, await countFromLog((log) => task.run({}, { db: app.db, log })));
  const { removed = 0, unfinished = 0, files: unreferenced = 0, objects = 0 } = files;
  return formatCounts("Forgotten", {
    ...forgotten,
    "unfinished uploads": removed + unfinished,
    "files of nothing": unreferenced + objects,
  });
}

/** The tasks of files say in the log what they removed. */
async function countFromLog(
  run: (log: ReturnType<typeof createLog>) => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await run(createLog("info", { write: (line) => void Object.assign(counts, JSON.parse(line)) }));
  return counts;
}

/** Rows are forgotten and taken back, so that the numbers are those of the real thing. */
async function count({ app: { db } }: Operator): Promise<Answer> {
  const forgotten = await runAndRollBack(db, deleteExpired);
  // The same files as the nightly task: younger ones may be under way.
  const files = await listUnreferencedFiles(db, new Date(now().getTime() - day));
  return formatCounts("Nothing was changed. To be forgotten", {
    ...forgotten,
    "files of nothing": files.length,
  });
}

async function runAndRollBack<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  let result: { of: T } | undefined;
  const takeBack = new Error("Taken back.");
  await db
    .transaction(async (tx) => {
      result = { of: await work(tx) };
      throw takeBack;
    })
    .catch((error: unknown) => {
      if (error !== takeBack) throw error;
    });
  return result!.of;
}

function formatCounts(verb: string, counts: Record<string, number>): Answer {
  const rows = Object.entries(counts).map(([what, number]) => [what, String(number)]);
  return { text: `${verb}:\n${formatTable(rows)}`, data: counts };
}

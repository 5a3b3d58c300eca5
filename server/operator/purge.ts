import type { Command } from "@commander-js/extra-typings";
import { lte } from "drizzle-orm";
import { sealedAccounts } from "../../app/accounts/tables.server.ts";
import { createFileTasks } from "../../app/files/clean-up/file-tasks.server.ts";
import { deleteClosedAccounts } from "../../app/own-data/closing/purge-accounts.server.ts";
import { day, now } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { listUnreferencedFiles } from "../../app/reviews/unreferenced-files.server.ts";
import { deleteExpired } from "../services/tasks.ts";
import { type Answer, type Choose, type Operator, formatTable } from "./command.ts";

/** Adds the command that deletes expired data immediately. */
export function addPurgeCommand(program: Command, choose: Choose): void {
  program
    .command("purge")
    .description("delete expired data now instead of at the next hourly or nightly cleanup")
    .option("--dry-run", "only count, without deleting anything", false)
    .action(({ dryRun }) => choose((operator) => (dryRun ? count(operator) : runPurge(operator))));
}

async function runPurge({ app, store, partials }: Operator): Promise<Answer> {
  const deleted = await deleteExpired(app.db, app.config);
  const purged = await deleteClosedAccounts(app.db, store);
  const files: Record<string, number> = {};
  for (const task of createFileTasks({ store, partials, unreferencedFiles: listUnreferencedFiles }))
    Object.assign(files, await countFromLog((log) => task.run({}, { db: app.db, log })));
  const { removed = 0, unfinished = 0, files: unreferenced = 0, objects = 0 } = files;
  return formatCounts("Deleted", {
    ...deleted,
    "closed accounts": purged,
    "unfinished uploads": removed + unfinished,
    "unused files": unreferenced + objects,
  });
}

/** Reads the counts from the log, where the file tasks report them. */
async function countFromLog(run: (log: ReturnType<typeof createLog>) => Promise<void>) {
  const counts: Record<string, number> = {};
  await run(createLog("info", { write: (line) => void Object.assign(counts, JSON.parse(line)) }));
  return counts;
}

async function count(operator: Operator): Promise<Answer> {
  return formatCounts("Nothing was deleted. To be deleted", await countExpired(operator));
}

/** Counts the rows that would be deleted now, by kind. Deletes them and rolls back, so that the counts are exact. */
export async function countExpired({ app: { db, config } }: Operator) {
  const deleted = await runAndRollBack(db, (tx) => deleteExpired(tx, config));
  // The nightly cleanup also skips newer files, since they may still be uploading.
  const files = await listUnreferencedFiles(db, new Date(now().getTime() - day));
  const due = await db.$count(sealedAccounts, lte(sealedAccounts.purgeAt, now()));
  return { ...deleted, "closed accounts": due, "unused files": files.length } as Record<
    string,
    number
  >;
}

async function runAndRollBack<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  const rollback = new Error("Rolled back.");
  await db
    .transaction(async (tx) => {
      result = { value: await work(tx) };
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  return result!.value;
}

function formatCounts(heading: string, counts: Record<string, number>): Answer {
  const rows = Object.entries(counts).map(([what, number]) => [what, String(number)]);
  return { text: `${heading}:\n${formatTable(rows)}`, data: counts };
}

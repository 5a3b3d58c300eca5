import { resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { type Answer, type Choose, formatTable } from "./command.ts";
import type { ImportReport, Skipped } from "./import/import-data.ts";

/** Adds the command that imports another system's data. */
export function addImportCommand(program: Command, choose: Choose): void {
  program
    .command("import")
    .description("bring in the data of the former system: people, jobs, reviews and their files")
    .argument("<folder>", "has a table a file: users.csv, profiles.json, jobs.jsonl and so on")
    .option("--files <folder>", "has a folder for each bucket; otherwise the first folder")
    .option("--dry-run", "look at everything, and change nothing", false)
    .option("--skip-bad", "take the rest where rows are wrong", false)
    .action((folder, { files = folder, dryRun, skipBad }) =>
      choose(async ({ app, store, say }) => {
        // Once in the life of most installations: no other process has to load it.
        const { importData } = await import("./import/import-data.ts");
        const places = { files: resolve(files), dryRun, skipBad };
        const report = await importData({ db: app.db, store, say }, resolve(folder), places);
        return formatImportReport(report, { dryRun, skipBad });
      }),
    );
}

function formatImportReport(
  report: ImportReport,
  { dryRun, skipBad }: { dryRun: boolean; skipBad: boolean },
): Answer {
  const { problems, isDone } = report;
  const isRefused = problems.length > 0 && !skipBad;
  const end = isDone
    ? "Imported. Everybody signs in with their former password."
    : dryRun && !isRefused
      ? "Nothing was changed. Without --dry-run this is taken."
      : "Nothing was changed. Mend these rows, or leave them out with all that belongs to them: --skip-bad.";
  const sentences = [
    formatTable([
      ["table", "rows", isDone ? "taken" : "to take", "file"],
      ...report.tables.map(({ table, rows, taken, file }) => [
        table,
        String(rows),
        String(taken),
        file,
      ]),
    ]),
    ...report.tables.flatMap(({ file, skipped, ignoredColumns }) => [
      ...skipped.map((one) => `${file}: ${formatLineNumbers(one)} not taken: ${one.reason}.`),
      ...(ignoredColumns.length > 0 ? [`${file}: not read: ${ignoredColumns.join(", ")}.`] : []),
    ]),
    ...report.ignoredFiles.map((file) => `${file} is no table of ours.`),
    ...listFileSentences(report, isDone),
    ...problems.map(({ file, line, problem }) => `${file}:${line}: ${problem}`),
    end,
  ];
  return { text: sentences.join("\n"), data: report, failed: isRefused };
}

const mostLines = 10;

function formatLineNumbers({ lines }: Skipped): string {
  const more = lines.length - mostLines;
  return `${lines.slice(0, mostLines).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function listFileSentences({ files }: ImportReport, isDone: boolean): string[] {
  if (!files) return [];
  const { taken, there, missing, refused, unnamed } = files;
  return [
    `Files: ${taken} ${isDone ? "taken" : "to take"}, ${there} there already, ${missing.length} missing, ${refused.length} refused, ${unnamed} that no row names.`,
    ...missing.map(({ bucket, path }) => `${bucket}/${path} is missing: a row names it.`),
    ...refused.map(({ bucket, path, why }) => `${bucket}/${path} is refused: ${why}`),
  ];
}

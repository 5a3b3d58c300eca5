import { resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { type Answer, type Choose, formatTable } from "./command.ts";
import type { ImportReport, Skipped } from "./import/import-data.ts";

/** Adds the command that imports another system's data. */
export function addImportCommand(program: Command, choose: Choose): void {
  program
    .command("import")
    .description("import the data of the former system: people, jobs, reviews and their files")
    .argument("<folder>", "one file per table: users.csv, profiles.json, jobs.jsonl and so on")
    .option("--files <folder>", "one folder per bucket; defaults to the first folder")
    .option("--dry-run", "check everything, without changing anything", false)
    .option("--skip-bad", "import the other rows if some are invalid", false)
    .action((folder, { files = folder, dryRun, skipBad }) =>
      choose(async ({ app, store, logProgress }) => {
        // Loaded only when needed: most installations import once or never.
        const { importData } = await import("./import/import-data.ts");
        const places = { files: resolve(files), dryRun, skipBad };
        const report = await importData(
          { db: app.db, config: app.config, store, logProgress },
          resolve(folder),
          places,
        );
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
  const conclusion = isDone
    ? "Imported. Everyone logs in with their former password."
    : dryRun && !isRefused
      ? "Nothing was changed. Run it without --dry-run to import this."
      : "Nothing was changed. Fix these rows, or use --skip-bad to leave them out with everything that belongs to them.";
  const sentences = [
    formatTable([
      ["table", "rows", isDone ? "imported" : "to import", "file"],
      ...report.tables.map(({ table, rows, taken, file }) => [
        table,
        String(rows),
        String(taken),
        file,
      ]),
    ]),
    ...report.tables.flatMap(({ file, skipped, ignoredColumns }) => [
      ...skipped.map((one) => `${file}: ${formatLineNumbers(one)} not imported: ${one.reason}.`),
      ...(ignoredColumns.length > 0
        ? [`${file}: ignored columns: ${ignoredColumns.join(", ")}.`]
        : []),
    ]),
    ...report.ignoredFiles.map((file) => `${file} is not a known table.`),
    ...listFileSentences(report, isDone),
    ...problems.map(({ file, line, problem }) => `${file}:${line}: ${problem}`),
    conclusion,
  ];
  return { text: sentences.join("\n"), data: report, failed: isRefused };
}

const maxLines = 10;

function formatLineNumbers({ lines }: Skipped): string {
  const more = lines.length - maxLines;
  return `${lines.slice(0, maxLines).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function listFileSentences({ files }: ImportReport, isDone: boolean): string[] {
  if (!files) return [];
  const { taken, there, missing, refused, unnamed } = files;
  return [
    `Files: ${taken} ${isDone ? "imported" : "to import"}, ${there} already there, ${missing.length} missing, ${refused.length} refused, ${unnamed} without a row.`,
    ...missing.map(({ bucket, path }) => `${bucket}/${path} is missing, but a row refers to it.`),
    ...refused.map(({ bucket, path, why }) => `${bucket}/${path} is refused: ${why}`),
  ];
}

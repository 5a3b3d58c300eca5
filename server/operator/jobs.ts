import { readFile, stat } from "node:fs/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import { countNoun } from "../../app/platform/count-noun.ts";
import { Invalid } from "../../app/platform/errors.ts";
import { openLeases } from "../../app/platform/leases.server.ts";
import type { ImportReport } from "../../app/posting/import/import-run.server.ts";
import { importProviders, type ImportProvider } from "../../app/posting/rules.ts";
import { type Answer, type Choose, formatTable, UsageError } from "./command.ts";

/** Adds the commands for listings. */
export function addJobCommands(program: Command, choose: Choose): void {
  program
    .command("jobs")
    .description("listings on the job board")
    .command("import")
    .description("import a company's jobs from a file; they wait for an admin to publish them")
    .argument("<file>", "from a careers page's provider, or in one of the product's own formats")
    .addOption(
      new Option("--from <format>", "the format of the file")
        .choices(Object.keys(importProviders) as ImportProvider[])
        .makeOptionMandatory(),
    )
    .requiredOption("--company <slug>", "the company, as in the address /companies/<slug>")
    .option("--create-company <name>", "create the company if there is none; needs --website")
    .option("--website <address>", "the website of the new company")
    .option("--dry-run", "say what would happen, without changing anything", false)
    .option(
      "--close-missing",
      "the file has all of the company's jobs: close those that are missing for the second time",
      false,
    )
    .action((path, { from, company: slug, createCompany: name, website, ...options }) => {
      if ((name === undefined) !== (website === undefined))
        throw new UsageError("--create-company and --website belong together.");
      const newCompany = name && website ? { name, website } : null;
      choose(async ({ app: { db, config }, logProgress }) => {
        // Loaded only when needed, since it reads formats that no other command does.
        const { decodeFile, maxFileSize } =
          await import("../../app/posting/import/read-file.server.ts");
        const { importJobs } = await import("../../app/posting/import/import-jobs.server.ts");
        const text = decodeFile(await readUpTo(path, maxFileSize));
        const report = await importJobs(
          {
            db,
            leases: openLeases(db),
            settings: { ...config.checks, secrets: config.secrets, rateLimits: config.rateLimits },
            logProgress,
          },
          text,
          { provider: from, slug, newCompany, ...options },
        );
        return formatReport(report, config.origin);
      });
    });
}

/** Reads a file, without loading one that is far too large. @throws {Invalid} if there is no such file */
async function readUpTo(path: string, maxSize: number): Promise<Uint8Array> {
  const file = await stat(path).catch(() => null);
  if (!file?.isFile()) throw new Invalid({ file: `There is no file ${path}.` });
  return file.size > maxSize ? new Uint8Array(maxSize + 1) : readFile(path);
}

function formatReport(report: ImportReport, origin: string): Answer {
  const { counts, company, isDone, refused, remarks, ignoredColumns } = report;
  const waiting = counts.new + counts.changed;
  const sentences = [
    formatTable(Object.entries(counts).map(([name, count]) => [name, String(count)])),
    ...groupByText(
      refused.map(({ line, problem }) => ({ line, text: problem })),
      "not imported",
    ),
    ...groupByText(
      remarks.map(({ line, remark }) => ({ line, text: remark })),
      "look at this",
    ),
    ...(ignoredColumns.length > 0 ? [`Ignored columns: ${ignoredColumns.join(", ")}.`] : []),
    isDone
      ? `Imported for ${company}.`
      : "Nothing was changed. Run it without --dry-run to import this.",
    ...(isDone && waiting > 0
      ? [`${countNoun(waiting, "listing")} to publish: ${origin}/admin/jobs/waiting`]
      : []),
  ];
  return { text: sentences.join("\n"), data: report, failed: refused.length > 0 };
}

const maxLines = 10;

/** Writes each sentence once, with the lines to which it belongs. */
function groupByText(all: readonly { line: number; text: string }[], label: string): string[] {
  return [...Map.groupBy(all, ({ text }) => text)].map(([text, same]) => {
    const lines = same.slice(0, maxLines).map(({ line }) => line);
    const more = same.length - lines.length;
    const plural = same.length === 1 ? "Line" : "Lines";
    return `${plural} ${lines.join(", ")}${more > 0 ? ` and ${more} more` : ""}, ${label}: ${text}`;
  });
}

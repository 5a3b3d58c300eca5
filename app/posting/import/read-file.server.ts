import { parseWebLink } from "../../jobs/contact/apply-methods.ts";
import { maxLengths } from "../../jobs/manage/rules.ts";
import { Invalid } from "../../platform/errors.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { cleanLine, cleanLines } from "../../platform/text/text.ts";
import { readDraft, readListing } from "../listing-form.server.ts";
import { type DraftFields, type ImportProvider, importProviders } from "../rules.ts";
import { readAshbyJob, readGreenhouseJob, readLeverJob } from "./applicant-systems.server.ts";
import { splitJsonItems } from "./json-items.server.ts";
import { readCsv, readOwnJob } from "./own-rows.server.ts";
import { RowError, type SourceFile, type SourceRow } from "./source-rows.server.ts";
import { readWordPressExport } from "./wp-job-manager.server.ts";

/** The largest file, in bytes. */
export const maxFileSize = 50 * 1_048_576;

/**
 * Decodes a file.
 *
 * @throws {Invalid} for an empty or too large file, and for one that isn't UTF-8
 */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes.length > maxFileSize)
    throw new Invalid({ file: "The file is larger than 50 MB. Split it, and import each part." });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() === "") throw new Invalid({ file: "The file is empty." });
    return text;
  } catch (error) {
    if (error instanceof Invalid) throw error;
    throw new Invalid({
      file: "The file isn't UTF-8 text. In Excel, save it as “CSV UTF-8 (Comma delimited)”.",
    });
  }
}

const jsonReaders = {
  greenhouse: readGreenhouseJob,
  lever: readLeverJob,
  ashby: readAshbyJob,
  json: readOwnJob,
} as const;

/**
 * Reads the jobs of a file. Each one that can't be imported has its line.
 *
 * @param company the name of the company. Jobs that name another one are refused.
 * @throws {Invalid} with a sentence, for a file of another provider and one without jobs
 */
export function readSourceFile(
  text: string,
  { provider, company }: { provider: ImportProvider; company: string },
): SourceFile {
  const likely = findProvider(text);
  if (likely && likely !== provider)
    throw new Invalid({
      file: `This looks like a ${importProviders[likely]} file. Use --from ${likely}.`,
    });
  const file = parseFile(text, provider);
  if (file.rows.length + file.refused.length === 0)
    throw new Invalid({ file: "The file has no jobs." });
  return readCompleteRows(file, company);
}

/** Finds the provider whose file this looks like. */
function findProvider(text: string): ImportProvider | null {
  const start = text.replace(/^\ufeff/, "").trimStart();
  if (start.startsWith("<")) return "wp-job-manager";
  if (!/^[[{]/.test(start)) return "csv";
  const [first] = splitJsonItems(start) ?? [];
  if (!first?.value || typeof first.value !== "object") return null;
  const marks = { absolute_url: "greenhouse", hostedUrl: "lever", jobUrl: "ashby" } as const;
  const mark = Object.keys(marks).find((key) => key in (first.value as object));
  return mark ? marks[mark as keyof typeof marks] : "json";
}

function parseFile(text: string, provider: ImportProvider): SourceFile {
  if (provider === "csv") return readCsv(text);
  if (provider === "wp-job-manager") return readWordPressExport(text);
  const items = splitJsonItems(text);
  if (!items)
    throw new Invalid({
      file: "The file has no complete JSON list of jobs. Download it again: its end may be missing.",
    });
  const file: SourceFile = { rows: [], refused: [], ignoredColumns: [] };
  for (const { line, value } of items)
    try {
      if (value === undefined) throw new RowError("It isn't valid JSON.");
      const row = jsonReaders[provider](value);
      if (row) file.rows.push({ line, ...row });
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      file.refused.push({ line, problem: error.message, externalId: findId(value) });
    }
  return file;
}

/** Finds the id of a job that couldn't be read, so that it doesn't count as missing. */
function findId(value: unknown): string | null {
  const { id, url } = (value ?? {}) as { id?: unknown; url?: unknown };
  const key = id ?? url;
  return typeof key === "string" || typeof key === "number" ? String(key) : null;
}

/** Refuses jobs that the listing form wouldn't take, and those that are in the file twice. */
function readCompleteRows(file: SourceFile, company: string): SourceFile {
  const lines = new Map<string, number>();
  const complete: SourceFile = { ...file, rows: [], refused: [...file.refused] };
  for (const row of file.rows)
    try {
      const key = `${row.board} ${row.externalId}`;
      const earlier = lines.get(key);
      if (earlier) throw new RowError(`It has the same id as the job on line ${earlier}.`);
      lines.set(key, row.line);
      complete.rows.push(toCompleteRow(row, company));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      const { line, externalId } = row;
      complete.refused.push({ line, problem: error.message, externalId });
    }
  complete.refused.sort((one, other) => one.line - other.line);
  return complete;
}

const maxIdLength = 300;

/** @throws {RowError} with a sentence that says what to do */
function toCompleteRow(row: SourceRow, company: string): SourceRow {
  const externalId = cleanLine(row.externalId.toWellFormed());
  if (externalId === "" || externalId.length > maxIdLength)
    throw new RowError(`Its id must have 1 to ${maxIdLength} characters.`);
  if (row.company !== null && toName(row.company) !== toName(company))
    throw new RowError(`It belongs to “${row.company}”. Import it with that company.`);
  const url = parseWebLink(row.url.toWellFormed());
  if (!url || url.length > maxLengths.portalApplicationLink)
    throw new RowError("Its address must start with https:// or http://.");
  const typed = { portalApplicationLink: url, ...row.fields };
  const fields = cleanFields(typed);
  return { ...row, externalId, url, fields };
}

const toName = (name: string) => cleanLine(name).toLowerCase();

const labels: Partial<Record<keyof DraftFields, string>> = {
  title: "title",
  location: "location",
  compensation: "compensation",
  description: "summary",
  largeDescription: "description",
};

/** Cleans typed texts as the form does. */
function cleanFields(typed: SourceRow["fields"]): Partial<DraftFields> {
  const texts = Object.fromEntries(
    Object.entries(typed).map(([name, text]) => [name, text.toWellFormed()]),
  );
  for (const [name, max] of Object.entries(maxLengths)) {
    const { length } = cleanLines(texts[name] ?? "");
    if (length > max)
      throw new RowError(
        `Its ${labels[name as keyof DraftFields] ?? name} has ${formatIndianNumber(length)} characters, and a listing takes ${formatIndianNumber(max)}. Shorten it where it was written, and export again.`,
      );
  }
  try {
    const fields = readDraft(texts);
    readListing(fields, "Company", "import");
    return fields;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const problems = Object.entries(error.fields).map(([name, message]) => `${name}: ${message}`);
    throw new RowError(problems.map((problem) => problem.replace(/[^.]$/, "$&.")).join(" "));
  }
}

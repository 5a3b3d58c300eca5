import { CsvError, type InfoRecord, parse } from "csv-parse/sync";
import { disciplines, skills, testTasks, workModes } from "../../jobs/details.ts";
import { detailNames, getSkillName } from "../../jobs/manage/details/rules.ts";
import { blankFields } from "../../jobs/manage/rules.ts";
import { jobTypes } from "../../jobs/rules.ts";
import { Invalid } from "../../platform/errors.ts";
import type { DraftFields } from "../rules.ts";
import { toPlainTextIfHtml, toListingTexts } from "./html-text.server.ts";
import { toLetters } from "./source-details.server.ts";
import { RowError, type SourceFile, type SourceRow } from "./source-rows.server.ts";

/** The names in the product's own files: the fields of the form, and what an import needs besides. */
const names = [
  ...new Set([
    "id",
    "url",
    "company",
    "skills",
    ...Object.keys(blankFields),
    ...detailNames.filter((name) => !name.startsWith("skill-")),
    "closesOn",
  ]),
];

const nameByLetters = new Map(names.map((name) => [toLetters(name), name]));

/** Reads a job of the product's own JSON format. */
export function readOwnJob(value: unknown): Omit<SourceRow, "line"> {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new RowError("It must be an object.");
  const texts: Record<string, string> = {};
  for (const [key, content] of Object.entries(value)) {
    const name = nameByLetters.get(toLetters(key));
    if (name) texts[name] = toTypedText(name, content);
  }
  return toOwnRow(texts);
}

/** Returns a value as a person would type it in the form. @throws {RowError} for an object */
function toTypedText(name: string, content: unknown): string {
  if (content === null || content === undefined || content === false) return "";
  if (content === true) return "yes";
  if (typeof content === "string") return content;
  if (typeof content === "number") return String(content);
  if (Array.isArray(content)) return content.map((part) => toTypedText(name, part)).join("; ");
  throw new RowError(`${name} must be text, a number or a list.`);
}

function toOwnRow({
  id = "",
  url = "",
  company = "",
  skills: skillNames = "",
  ...typed
}: Record<string, string>) {
  const { description = "", largeDescription = "" } = typed;
  const [short, long] = [description, largeDescription].map(toPlainTextIfHtml);
  const texts = toListingTexts(long || short!);
  return {
    externalId: id || url,
    board: null,
    url,
    company: company || null,
    fields: {
      ...typed,
      ...toChoiceFields(typed),
      ...toSkillFields(skillNames),
      ...texts,
      ...(short && { description: short }),
      portalApplicationLink: typed["portalApplicationLink"] || url,
    } as SourceRow["fields"],
  };
}

const toOptions = (list: readonly { value: string; label: string }[]) =>
  list.flatMap(({ value, label }) => [
    [toLetters(label), value] as const,
    [toLetters(value), value] as const,
  ]);

/** The values of fields with choices, by the letters of their value and their label. */
const choices: Partial<Record<keyof DraftFields, Map<string, string>>> = {
  jobType: new Map(jobTypes.map((type) => [toLetters(type), type])),
  discipline: new Map(toOptions(disciplines)),
  workMode: new Map(toOptions(workModes)),
  testTask: new Map(toOptions(testTasks)),
  anywhere: new Map(["yes", "y", "true", "on", "1"].map((word) => [word, "on"])),
};

/** An unknown choice stays as it is, so that the form refuses it. */
function toChoiceFields(typed: Record<string, string>): SourceRow["fields"] {
  const chosen = Object.entries(choices).flatMap(([name, options]) => {
    const value = options.get(toLetters(typed[name] ?? ""));
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(chosen);
}

const skillByLetters = new Map(toOptions(skills));

function toSkillFields(list: string): SourceRow["fields"] {
  const typed = list.split(/[,;\n]/).map((name) => name.trim());
  const fields = typed.filter(Boolean).map((name) => {
    const skill = skillByLetters.get(toLetters(name)) as (typeof skills)[number]["value"];
    if (!skill) throw new RowError(`We don't know the skill “${name}”.`);
    return [getSkillName(skill), "on"];
  });
  return Object.fromEntries(fields);
}

type CsvRow = { info: InfoRecord; record: Record<string, string> };

/** Stops reading after an unclosed quotation mark. No real row is this long. */
const maxRecordLength = 2_097_152;

/**
 * Reads a CSV file with the names of columns in its first line. Commas, semicolons and tabs separate values.
 *
 * @throws {Invalid} without a column for titles or addresses
 */
export function readCsv(text: string): SourceFile {
  const file: SourceFile = { rows: [], refused: [], ignoredColumns: [] };
  const columns = findColumns(text, file);
  let extraLines = 0;
  try {
    const records = parse(text, {
      bom: true,
      columns: () => columns.map((name, place) => name ?? `ignored ${place}`),
      delimiter: findDelimiter(text),
      info: true,
      max_record_size: maxRecordLength,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as CsvRow[];
    for (const { info, record } of records) {
      const values = Object.values(record).join("");
      // The library counts both characters of a line end inside quotation marks.
      extraLines += values.split("\r\n").length - 1;
      const line = info.lines - extraLines - (values.split("\n").length - 1);
      if ((info.error as CsvError | undefined) !== undefined)
        file.refused.push({
          line,
          problem: "It doesn't have one value for each column.",
          externalId: null,
        });
      else if (values.trim()) addOwnRow(file, line, record);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines: line = 1 } = error as CsvError & { lines?: number };
    file.refused.push({
      line,
      problem: "A quotation mark isn't closed, so the rest can't be read.",
      externalId: null,
    });
  }
  return file;
}

function addOwnRow(file: SourceFile, line: number, record: Record<string, string>): void {
  try {
    file.rows.push({ line, ...toOwnRow(record) });
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const externalId = record["id"] || record["url"] || null;
    file.refused.push({ line, problem: error.message, externalId });
  }
}

function getFirstLine(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .trimStart()
    .split(/[\r\n]/, 1)[0]!;
}

function findDelimiter(text: string): string {
  const head = getFirstLine(text);
  const counted = [",", ";", "\t"].map((sign) => ({ sign, count: head.split(sign).length }));
  return counted.toSorted((one, other) => other.count - one.count)[0]!.sign;
}

/** Finds the name of each column; null for an unknown one. */
function findColumns(text: string, file: SourceFile): (string | null)[] {
  const heads = getFirstLine(text)
    .split(findDelimiter(text))
    .map((head) => head.trim().replace(/^"|"$/g, ""));
  const columns = heads.map((head) => nameByLetters.get(toLetters(head)) ?? null);
  for (const required of ["title", "url"])
    if (!columns.includes(required))
      throw new Invalid({
        file: `The file has no column “${required}”. The first line of a CSV file names its columns; docs/running.md lists them.`,
      });
  file.ignoredColumns = heads.filter((head, place) => columns[place] === null && head !== "");
  return columns;
}

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { CsvError, type InfoRecord, parse } from "csv-parse";

/** A row of a file with the number of its first line, or the problem there. */
type ReadRow = { line: number; row: Record<string, unknown> } | { line: number; problem: string };

/** Stops reading after an unclosed quotation mark. No real row is this long. */
const maxRowLength = 16 * 1_048_576;

/**
 * Reads the rows of a file one at a time, so that a large file needs little memory: `.csv` with column names in
 * its first line, `.json` with one array of objects, `.jsonl` with one object per line.
 */
export function readRows(path: string): AsyncGenerator<ReadRow> {
  if (path.endsWith(".csv")) return readCsvRows(path);
  return path.endsWith(".jsonl") ? readJsonLines(path) : readJsonElements(path);
}

async function* readCsvRows(path: string): AsyncGenerator<ReadRow> {
  const options = { bom: true, columns: true, info: true, max_record_size: maxRowLength } as const;
  const parser = parse({ ...options, relax_column_count: true, skip_empty_lines: true });
  const source = createReadStream(path);
  source.on("error", (error) => parser.destroy(error));
  let extraLines = 0;
  try {
    for await (const { info, record } of source.pipe(parser) as AsyncIterable<CsvRow>) {
      const values = Object.values(record).join("");
      // The library counts both characters of a line end inside quotation marks.
      extraLines += values.split("\r\n").length - 1;
      const line = info.lines - extraLines - (values.split("\n").length - 1);
      const hasError = (info.error as CsvError | undefined) !== undefined;
      yield hasError ? { line, problem: wrongValueCount } : { line, row: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines: line = 1 } = error as CsvError & { lines?: number };
    yield { line, problem: `cannot be read: ${error.message}.` };
  } finally {
    source.destroy();
  }
}

type CsvRow = { info: InfoRecord; record: Record<string, string> };

const wrongValueCount = "does not have one value per column.";

async function* readJsonLines(path: string): AsyncGenerator<ReadRow> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    line += 1;
    if (text.trim()) yield parseJsonRow(text, line);
  }
}

const [quote, backslash, newline] = [34, 92, 10];
const opening = new Set([91, 123]);
const closing = new Set([93, 125]);

/** Parses each element of one array separately, because streaming libraries do not report line numbers. */
async function* readJsonElements(path: string): AsyncGenerator<ReadRow> {
  let [line, firstLine, depth] = [1, 1, 0];
  let [isText, isEscaped] = [false, false];
  let element = "";
  for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === newline) line += 1;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isText = false;
      } else if (code === quote) isText = true;
      else if (opening.has(code)) {
        depth += 1;
        if (depth === 2) [from, firstLine] = [at, line];
      } else if (closing.has(code)) {
        depth -= 1;
        if (depth !== 1) continue;
        yield parseJsonRow(element + chunk.slice(from, at + 1), firstLine);
        element = "";
      }
    }
    if (depth > 1) element += chunk.slice(from);
    if (element.length > maxRowLength) break;
  }
  if (depth !== 0) yield { line: firstLine, problem: "is not a complete array of objects." };
}

function parseJsonRow(text: string, line: number): ReadRow {
  try {
    const row = JSON.parse(text) as unknown;
    if (row !== null && typeof row === "object" && !Array.isArray(row))
      return { line, row: row as Record<string, unknown> };
    return { line, problem: "is not an object." };
  } catch {
    return { line, problem: "is not valid JSON." };
  }
}

import { basename } from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "../../../app/platform/database.server.ts";
import { generateTicket } from "../../../app/support/send-message.server.tsx";
import { readRows } from "./read-rows.ts";
import { importedTables, buildRowSchema, type TableName, tableNames } from "./tables.ts";

/** A row that cannot be imported, and why. */
export type Problem = { file: string; line: number; problem: string };

export type TableFile = {
  table: TableName;
  /** The file name without its folder. */
  file: string;
  path: string;
};

export type StagedTable = TableFile & { rows: number; ignoredColumns: string[] };

const batchSize = 1000;

/** Returns the temporary table for the rows of a file until they are imported. */
export function getStagingTable(table: TableName) {
  return sql.identifier(`import_${table}`);
}

/** Creates an empty temporary table for each file; PostgreSQL drops them at commit. */
export async function createStagingTables(tx: Database): Promise<void> {
  for (const table of tableNames) {
    const columns = Object.entries(importedTables[table]).map(
      ([name, { type }]) => sql`${sql.identifier(name)} ${sql.raw(type)}`,
    );
    const ticket = table === "contact_messages" ? [sql`ticket text`] : [];
    await tx.execute(sql`create temporary table ${getStagingTable(table)} (
      line integer not null, reason text, is_problem boolean,
      ${sql.join([...columns, ...ticket], sql`, `)}) on commit drop`);
  }
}

/**
 * Reads a file into its temporary table and validates each row on its own.
 *
 * @param problems receives the invalid rows
 */
export async function insertStagedRows(
  tx: Database,
  { table, path }: TableFile,
  problems: Problem[],
): Promise<StagedTable> {
  const file = basename(path);
  const schema = buildRowSchema(table);
  const knownColumns = Object.keys(importedTables[table]);
  const ignoredNames = new Set<string>();
  let isHeaderRead = false;
  let rows = 0;
  let batch: object[] = [];
  const writeBatch = async () => {
    if (batch.length > 0)
      await tx.execute(sql`insert into ${getStagingTable(table)}
        select * from json_populate_recordset(null::${getStagingTable(table)}, ${JSON.stringify(batch)}::json)`);
    batch = [];
  };
  for await (const result of readRows(path)) {
    rows += 1;
    const { line } = result;
    if ("problem" in result) {
      problems.push({ file, line, problem: result.problem });
      continue;
    }
    const names = Object.keys(result.row);
    for (const name of names) if (!knownColumns.includes(name)) ignoredNames.add(name);
    if (!isHeaderRead) {
      isHeaderRead = true;
      const missing = listMissingColumns(table, names);
      for (const name of missing)
        problems.push({ file, line: 1, problem: `has no column ${name}.` });
      if (missing.length > 0) break;
    }
    const { data, error } = schema.safeParse(result.row);
    for (const {
      path: [column],
      message,
    } of error?.issues ?? [])
      problems.push({ file, line, problem: `${String(column)} ${message}.` });
    if (!data) continue;
    batch.push({
      line,
      ...data,
      ...(table === "contact_messages" && { ticket: generateTicket() }),
    });
    if (batch.length === batchSize) await writeBatch();
  }
  await writeBatch();
  return { table, file, path, rows, ignoredColumns: [...ignoredNames] };
}

function listMissingColumns(table: TableName, names: string[]): string[] {
  return Object.entries(importedTables[table])
    .filter(([name, { isRequired }]) => isRequired && !names.includes(name))
    .map(([name]) => name);
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { and, eq, sql } from "drizzle-orm";
import type { FileStore } from "../../../app/files/store.server.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { Invalid, Unavailable } from "../../../app/platform/errors.ts";
import type { ContactSettings } from "../../../app/jobs/contact/stopped-contacts.server.ts";
import { checkRows } from "./check-rows.ts";
import { checkRemovedContacts } from "./removed-contacts.ts";
import {
  createStagingTables,
  type Problem,
  getStagingTable,
  type StagedTable,
  insertStagedRows,
  type TableFile,
} from "./stage-rows.ts";
import {
  type FilePlace,
  type FileParts,
  recordTakenFiles,
  type TakenFiles,
  importFiles,
} from "./take-files.ts";
import { importRows } from "./take-rows.ts";
import { type TableName, tableNames } from "./tables.ts";

type ImportOptions = {
  /** The folder with one subfolder for each bucket. */
  files: string;
  dryRun: boolean;
  /** Imports valid rows, and skips invalid ones with everything that belongs to them. */
  skipBad: boolean;
};

/** Rows of a table that were skipped for the same reason. */
export type Skipped = { reason: string; lines: number[] };

export type ImportReport = {
  /** True if anything was changed. */
  isDone: boolean;
  tables: {
    table: TableName;
    file: string;
    rows: number;
    taken: number;
    skipped: Skipped[];
    ignoredColumns: string[];
  }[];
  problems: Problem[];
  files: TakenFiles | null;
  /** Files in the folder that are not a known table. */
  ignoredFiles: string[];
};

/**
 * Imports the data of the former system in one transaction. Files are saved first, and deleted again if the
 * rows fail. Existing rows and files are not changed.
 *
 * @throws {Invalid} if the folder has no tables, or the product's data changed during the import.
 */
export async function importData(
  { db, config, ...parts }: FileParts & { db: Database; config: ContactSettings },
  folder: string,
  { files: filesFolder, dryRun, skipBad }: ImportOptions,
): Promise<ImportReport> {
  const { tables: tableFiles, ignored: ignoredFiles } = await findTables(folder);
  const saved: FilePlace[] = [];
  try {
    return await db.transaction(async (tx) => {
      const { tables, problems } = await readTables(tx, config, tableFiles, parts.logProgress);
      const canImport = problems.length === 0 || skipBad;
      const report = { tables, problems, ignoredFiles, isDone: false };
      if (!dryRun && !canImport) return { ...report, files: null };
      const files = await importFiles(
        tx,
        parts,
        filesFolder,
        dryRun ? null : (place) => void saved.push(place),
      );
      if (dryRun) return { ...report, files };
      await recordTakenFiles(tx);
      await importRows(tx, {
        ...Object.fromEntries(tables.map(({ table, taken }) => [table, taken])),
        files: files.taken,
      });
      return { ...report, files, isDone: true };
    });
  } catch (error) {
    await deleteSavedFiles(db, parts.store, saved);
    throw isConstraint(error) ? createChangedError() : error;
  }
}

/**
 * Deletes the saved files, except those that a row records: the transaction may have committed although the
 * connection was lost. Without a database, they are left to the nightly cleanup.
 */
async function deleteSavedFiles(db: Database, store: FileStore, saved: FilePlace[]): Promise<void> {
  try {
    for (const { bucket, path } of saved) {
      const isSameFile = and(eq(storedFiles.bucket, bucket), eq(storedFiles.path, path));
      if ((await db.$count(storedFiles, isSameFile)) === 0) await store.delete(bucket, path);
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

async function findTables(folder: string): Promise<{ tables: TableFile[]; ignored: string[] }> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
  const files = new Map<TableName, TableFile>();
  const ignored: string[] = [];
  for (const file of names) {
    const table = tableNames.find((name) => name === tablePattern.exec(file)?.[1]);
    if (!table) ignored.push(file);
    else if (files.has(table))
      throw new Invalid({
        folder: `${files.get(table)!.file} and ${file} are both for the same table.`,
      });
    else files.set(table, { table, file, path: join(folder, file) });
  }
  if (files.size === 0)
    throw new Invalid({ folder: `${folder} has no table files, such as users.csv or jobs.json.` });
  return { tables: tableNames.flatMap((table) => files.get(table) ?? []), ignored };
}

/** Also matches the names of the former system's exports: `auth.users.csv`, `jobs_rows.csv`. */
const tablePattern = /^(?:auth\.|public\.)?([a-z_]+?)(?:_rows)?\.(?:csv|json|jsonl)$/;

async function readTables(
  tx: Database,
  config: ContactSettings,
  files: TableFile[],
  logProgress: (line: string) => void,
) {
  await createStagingTables(tx);
  const problems: Problem[] = [];
  const staged: StagedTable[] = [];
  for (const file of files) {
    const table = await insertStagedRows(tx, file, problems);
    logProgress(`${table.rows} rows of ${table.file}`);
    staged.push(table);
  }
  await checkRows(tx);
  await checkRemovedContacts(tx, config);
  const tables: ImportReport["tables"] = [];
  for (const { path: _path, ...table } of staged) {
    const { taken, skipped, bad } = await countOutcome(tx, table.table);
    tables.push({ ...table, taken, skipped });
    for (const { line, reason } of bad)
      problems.push({ file: table.file, line, problem: `${reason}.` });
  }
  const fileOrder = new Map(files.map(({ file }, index) => [file, index]));
  problems.sort(
    (one, other) => fileOrder.get(one.file)! - fileOrder.get(other.file)! || one.line - other.line,
  );
  return { tables, problems };
}

async function countOutcome(tx: Database, table: TableName) {
  const { rows: counted } = await tx.execute<{ taken: number }>(
    sql`select count(*)::integer as taken from ${getStagingTable(table)} where reason is null`,
  );
  const { rows: skipped } = await tx.execute<Skipped>(
    sql`select reason, array_agg(line order by line) as lines from ${getStagingTable(table)}
      where not is_problem group by reason order by reason`,
  );
  const { rows: bad } = await tx.execute<{ line: number; reason: string }>(
    sql`select line, reason from ${getStagingTable(table)} where is_problem`,
  );
  return { taken: counted[0]!.taken, skipped, bad };
}

/** Class 23 of PostgreSQL's codes: an account was created or deleted between the checks and the import. */
function isConstraint(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("23");
}

function createChangedError(): Invalid {
  return new Invalid({
    import: "The product's data changed during the import. Nothing was imported. Run import again.",
  });
}

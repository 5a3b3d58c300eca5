import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import pg, { type Client } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { type BackedUpTable, writeWithSum } from "./backup-folder.ts";

type Table = {
  schema: string;
  name: string;
  /** The columns with stored values. */
  columns: string[];
  /** The tables that its rows refer to. */
  references: string[];
};

/** Finished tasks are not backed up. */
const openTasks = "state < 'completed'";

/** Excludes the queue's own scheduling tasks, for which an empty product has no queue yet. */
const ourTasks = String.raw`name not like '\_\_pgboss\_\_%'`;

/** Not backed up, like their files: pages are rendered again when needed, and people start a new export. */
const derivedTables = ["rendered_files", "review_pages", "data_exports"];

/** Lists the tables to back up. Referenced tables come first. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select nspname as schema, relname as name,
      array(select attname::text from pg_attribute
        where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns,
      array(select referred.relname::text from pg_constraint
        join pg_class as referred on referred.oid = confrelid
        where conrelid = relation.oid and contype = 'f' and confrelid <> conrelid) as references
    from pg_class as relation join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition
      and (nspname = 'public' or (nspname = 'pgboss' and relname = 'job'))
      and relname <> all($1)
    order by nspname = 'pgboss', relname`,
    [derivedTables],
  );
  return sortByReferences(rows);
}

function sortByReferences(tables: Table[]): Table[] {
  const ordered: Table[] = [];
  let remaining = tables;
  while (remaining.length > 0) {
    const names = new Set(remaining.map(({ name }) => name));
    const isReady = ({ schema, references }: Table) =>
      schema !== "public" || !references.some((name) => names.has(name));
    const ready = remaining.filter(isReady);
    if (ready.length === 0) throw new Error(`${[...names].join(", ")} have circular references.`);
    ordered.push(...ready);
    remaining = remaining.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** Writes the rows of a table to a file. @returns the table with its row count, file and checksum. */
export async function copyRowsOut(
  client: Client,
  { schema, name, columns }: Table,
  folder: string,
): Promise<BackedUpTable & { sha256: string }> {
  const file = join("rows", `${schema}.${name}.copy.gz`);
  const condition = schema === "pgboss" ? `where ${openTasks} and ${ourTasks}` : "";
  const select = `select ${formatColumnList(columns)} from ${formatTableName(schema, name)} ${condition}`;
  const copied = client.query(copyTo(`copy (${select}) to stdout`));
  const zipped = createGzip();
  const [{ sha256 }] = await Promise.all([
    writeWithSum(zipped, join(folder, file)),
    pipeline(copied, zipped),
  ]);
  return { schema, name, columns, rows: copied.rowCount, file, sha256 };
}

/**
 * Fills a table with its triggers disabled: the backed-up rows already have the triggers' changes.
 *
 * @throws {Error} if the number of rows differs from the manifest.
 */
export async function copyRowsIn(
  client: Client,
  { schema, name, columns, rows, file }: BackedUpTable,
  backup: string,
): Promise<void> {
  const table = formatTableName(schema, name);
  if (schema === "public") await client.query(`alter table ${table} disable trigger user`);
  const filled = client.query(copyFrom(`copy ${table} (${formatColumnList(columns)}) from stdin`));
  await pipeline(createReadStream(join(backup, file)), createGunzip(), filled);
  if (schema === "public" && filled.rowCount !== rows)
    throw new Error(`${schema}.${name} got ${filled.rowCount} of ${rows} rows.`);
  if (schema === "public") await client.query(`alter table ${table} enable trigger user`);
}

/** Sets the sequences to the largest number in use. */
export async function setSequences(client: Client, { schema, name, columns }: BackedUpTable) {
  for (const column of columns) {
    const table = formatTableName(schema, name);
    const { rows } = await client.query<{ sequence: string | null }>(
      "select pg_get_serial_sequence($1, $2) as sequence",
      [table, column],
    );
    const sequence = rows[0]?.sequence;
    if (!sequence) continue;
    const maximum = `max(${pg.escapeIdentifier(column)})`;
    await client.query(
      `select setval($1, coalesce(${maximum}, 1), ${maximum} is not null) from ${table}`,
      [sequence],
    );
  }
}

export function formatTableName(schema: string, table: string): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
}

function formatColumnList(columns: string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(", ");
}

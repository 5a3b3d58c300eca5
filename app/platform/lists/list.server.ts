import {
  and,
  between,
  type GetColumnData,
  getTableName,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Database } from "../database.server.ts";
import { type Count, minIdPartLength } from "./lists.ts";
import type { Direction } from "./sorts.ts";
import { toSearchForm } from "../text/text.ts";

/** A page of a list, with the cursors of the previous and next page for the address. */
export type ListPage<Row> = { rows: Row[]; previous: string | null; next: string | null };

/** A sort key: an indexed expression and its value in a row. */
export type Key<Row> = {
  by: SQLWrapper;
  type: keyof typeof values;
  of(row: Row): string | number | Date;
};

/** An order of rows. Its last key must be unique, so that pages skip no row. */
export type Order<Row> = {
  /** Distinguishes the sorts of one list: a cursor of another sort is invalid. */
  name?: string;
  keys: readonly [Key<Row>, ...Key<Row>[]];
  direction: Direction;
};

/** Builds an order by columns, each under the name of its value in a row. */
export function buildOrder<Columns extends SortColumns>(
  direction: Direction,
  columns: Columns,
  name?: string,
): Order<Sorted<Columns>> {
  return { ...(name && { name }), keys: buildKeys(columns), direction };
}

/** Builds the keys of {@link buildOrder}, for an order that has others too. */
export function buildKeys<Columns extends SortColumns>(columns: Columns) {
  const keys = Object.entries(columns).map(([name, by]) => ({
    by,
    type: columnTypes[by.columnType as keyof typeof columnTypes],
    of: (row: Sorted<Columns>) => row[name],
  }));
  return keys as unknown as Order<Sorted<Columns>>["keys"];
}

type SortColumns = Record<string, PgColumn & { _: { columnType: keyof typeof columnTypes } }>;
type Sorted<Columns extends SortColumns> = {
  [Name in keyof Columns]: GetColumnData<Columns[Name]>;
};

/** The types of cursors by Drizzle's names for the types of columns. */
const columnTypes = {
  PgText: "text",
  PgUUID: "uuid",
  PgInteger: "integer",
  PgSmallInt: "integer",
  PgTimestamp: "timestamptz",
} as const;

/** The condition, order and limit that a query adds to read one page. */
export type Part = { where: SQL | undefined; orderBy: SQL[]; limit: number };

/**
 * Reads one page of a list. It starts at a cursor instead of an offset, since an index finds any cursor quickly.
 *
 * @param cursor from another page. Null or an invalid cursor reads the first page.
 * @param size the number of rows on a page
 * @param read reads one row more than that, to find out if there is a next page
 */
export async function readPage<Row>(
  order: Order<NoInfer<Row>>,
  { cursor, size }: { cursor: string | null; size: number },
  read: (part: Part) => PromiseLike<Row[]>,
): Promise<ListPage<Row>> {
  const place = readCursor(order, cursor);
  if (place?.side === "before") {
    const preceding = await read(buildPart(reverseOrder(order), place.values, size + 1));
    const rows = preceding.slice(0, size).toReversed();
    // If the previous rows don't fill a page, the first page is shown instead.
    if (preceding.length > size) return { rows, ...buildCursors(order, rows) };
  }
  const behind = place?.side === "after" ? place.values : null;
  const following = await read(buildPart(order, behind, size + 1));
  const rows = following.slice(0, size);
  const { previous, next } = buildCursors(order, rows);
  return { rows, previous: behind && previous, next: following.length > size ? next : null };
}

/**
 * Reads a page of a list whose rows disappear while people page through it. If nothing is left after the cursor, it
 * returns the last page.
 */
export async function readPageOrLast<Row>(
  ...[order, query, read]: Parameters<typeof readPage<Row>>
): Promise<ListPage<Row>> {
  const page = await readPage(order, query, read);
  if (page.rows.length > 0 || readCursor(order, query.cursor) === null) return page;
  const last = await read(buildPart(reverseOrder(order), null, query.size + 1));
  const rows = last.slice(0, query.size).toReversed();
  const { previous } = buildCursors(order, rows);
  return { rows, previous: last.length > query.size ? previous : null, next: null };
}

/** Returns the first page's part for {@link readPage}, for a prepared query. */
export function getFirstPart<Row>(order: Order<Row>, size: number): Part {
  return buildPart(order, null, size + 1);
}

function reverseOrder<Row>(order: Order<Row>): Order<Row> {
  return { ...order, direction: order.direction === "asc" ? "desc" : "asc" };
}

function buildPart<Row>({ keys, direction }: Order<Row>, place: Value[] | null, limit: number) {
  const isBehind = sql.raw(direction === "asc" ? ">" : "<");
  const parts = keys.map(({ by }) => sql`${by}`);
  return {
    where: place
      ? sql`(${sql.join(parts, sql`, `)}) ${isBehind} (${sql.join(buildTypedValues(keys, place), sql`, `)})`
      : undefined,
    orderBy: parts.map((part) => sql`${part} ${sql.raw(direction)}`),
    limit,
  };
}

function buildTypedValues(keys: readonly Key<never>[], place: Value[]): SQL[] {
  return place.map((value, index) => {
    const type = keys[index]!.type;
    const text = type === "timestamptz" ? new Date(value).toISOString() : value;
    return sql`${text}::${sql.raw(type)}`;
  });
}

type Value = string | number;
type Side = "before" | "after";

/**
 * The value types of a cursor. Dates are milliseconds from the year 1 to 9999, since other years are formatted
 * differently.
 */
const values = {
  text: z.string(),
  uuid: z.guid(),
  integer: z.int32(),
  timestamptz: z.int().min(-62_135_596_800_000).max(253_402_300_799_999),
} as const;

function buildCursors<Row>(order: Order<Row>, rows: Row[]) {
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    previous: first === undefined ? null : writeCursor(order, "before", first),
    next: last === undefined ? null : writeCursor(order, "after", last),
  };
}

function writeCursor<Row>({ name = "", keys }: Order<Row>, side: Side, row: Row): string {
  const place = keys.map(({ of }) => {
    const value = of(row);
    return value instanceof Date ? value.getTime() : value;
  });
  return Buffer.from(JSON.stringify([name, side, ...place])).toString("base64url");
}

/** @returns null for an invalid cursor or one of another order */
function readCursor<Row>(
  { name = "", keys }: Order<Row>,
  cursor: string | null,
): { side: Side; values: Value[] } | null {
  if (!cursor) return null;
  const [first, ...others] = keys.map(({ type }) => values[type]);
  const schema = z.tuple([
    z.literal(name),
    z.enum(["before", "after"]),
    z.tuple([first!, ...others]),
  ]);
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const [ofName, side, ...place] = Array.isArray(read) ? (read as unknown[]) : [];
    const { data } = schema.safeParse([ofName, side, place]);
    return data ? { side: data[1], values: data[2] } : null;
  } catch {
    return null;
  }
}

/** Counts stop here, since counting more takes longer than reading the list. */
const maxCounted = 1000;

/** The number of rows that take about a millisecond to read. */
const nearby = 2000;

/**
 * Reads the results of a search. Common matches are found among the nearest rows. Rare ones are looked up in the
 * text index, since scanning in list order could read the entire table.
 *
 * @param readAmong reads a part of the table, or of a subquery in its place
 */
export async function readFound<Table extends PgTable, Row>(
  db: Database,
  table: Table,
  isFound: SQL,
  part: Part,
  readAmong: (source: Table, part: Part) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const whole: PgTable = table;
  const rowsOf = (where: SQL | undefined, source = whole) => db.select().from(source).where(where);
  const asTable = (rows: { as(name: string): unknown }) => rows.as(getTableName(table)) as Table;
  const nearest = asTable(
    rowsOf(part.where)
      .orderBy(...part.orderBy)
      .limit(nearby),
  );
  const near = await readAmong(nearest, { ...part, where: isFound });
  if (near.length === part.limit) return near;
  // A limit keeps the planner from merging the two queries and scanning the list.
  const matches = asTable(rowsOf(isFound).limit(everyRow));
  // Cut to a page before other tables are joined, since a search can find many rows.
  const page = rowsOf(part.where, matches).orderBy(...part.orderBy);
  return readAmong(asTable(page.limit(part.limit)), part);
}

const everyRow = 2 ** 31 - 1;

/**
 * Counts rows up to a limit, by default a thousand.
 *
 * @param orderBy the list's order, if its index finds the rows
 */
export async function countUpTo(
  db: Database,
  table: PgTable,
  where: SQL | undefined,
  { max = maxCounted, orderBy = [] }: { max?: number; orderBy?: SQL[] } = {},
): Promise<Count> {
  const rows = await db.$count(selectFirstRows(db, table, where, { max, orderBy }));
  return countOf(rows, max);
}

/** Counts up to a thousand rows, as a column of another query. */
export function countColumn(db: Database, table: PgTable, where: SQL | undefined): SQL<Count> {
  const rows = db.$count(selectFirstRows(db, table, where));
  return sql`${rows}`.mapWith((counted: unknown) => countOf(Number(counted)));
}

/** Selects up to one row more than the limit. */
function selectFirstRows(
  db: Database,
  table: PgTable,
  where: SQL | undefined,
  { max = maxCounted, orderBy = [] }: { max?: number; orderBy?: SQL[] } = {},
) {
  return db
    .select({ one: sql`1`.as("one") })
    .from(table)
    .where(where)
    .orderBy(...orderBy)
    .limit(max + 1)
    .as("first_of");
}

function countOf(rows: number, max = maxCounted): Count {
  return { counted: Math.min(rows, max), isMore: rows > max };
}

/**
 * A SQL condition that is true if a text contains these letters. It uses the indexes of trigrams and of `pairs_in`.
 *
 * @param text the result of `search_form`, as in the indexes
 * @param letters the typed letters
 */
export function containsText(text: SQLWrapper, letters: string): SQL | undefined {
  // Three letters in a row are needed for a trigram. Otherwise LIKE would read the complete index.
  return /[\p{L}\p{N}]{3}/u.test(toSearchForm(letters))
    ? sql`${text} like search_pattern(${letters})`
    : and(
        containsTextUnindexed(text, letters),
        sql`pairs_in(${text}) @@ pairs_sought(search_form(${letters}))`,
      );
}

/** The same condition without an index, for rows found by another condition. */
export function containsTextUnindexed(text: SQLWrapper, letters: string): SQL {
  return sql`strpos(${text}, search_form(${letters})) > 0`;
}

/**
 * A SQL condition that is true for ids that start with these characters. It compares a range, which uses the column's
 * index. Undefined for a text that starts no id, and for a shorter one.
 */
export function hasIdStart(column: PgColumn, start: string): SQL | undefined {
  const digits = start.replaceAll("-", "");
  const isStart = /^[\da-f-]+$/i.test(start) && digits.length <= 32;
  if (!isStart || digits.length < minIdPartLength) return undefined;
  return between(column, digits.padEnd(32, "0"), digits.padEnd(32, "f"));
}

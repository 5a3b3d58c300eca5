import { and, getTableName, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Database } from "./database.server.ts";
import type { Count, Direction } from "./lists.ts";
import { toSearchForm } from "./text/text.ts";

/** A page of a list, and the cursors of the pages on both sides of it, for the address. */
export type ListPage<Row> = { rows: Row[]; previous: string | null; next: string | null };

/** A sort key: an expression with an index, and its value in a row. */
export type Key<Row> = {
  by: SQLWrapper;
  type: keyof typeof values;
  of(row: Row): string | number | Date;
};

/** An order of rows. Its last key is one that only one row has, so that pages leave none out. */
export type Order<Row> = {
  /** Distinguishes the sorts of one list: a cursor of another sort is invalid. */
  name?: string;
  keys: readonly [Key<Row>, ...Key<Row>[]];
  direction: Direction;
};

/** The condition, order and limit that a query adds to read one page. */
export type Part = { where: SQL | undefined; orderBy: SQL[]; limit: number };

/**
 * Reads one page of a list. It begins where the page beside it ended, not after a number of rows: an
 * index finds the place at once, however far it is.
 *
 * @param cursor as an earlier page gave it; null, or what is none of this order, is the first page
 * @param size how many rows a page has
 * @param read is given one row more than that to look for, which tells whether there is a page behind
 */
export async function readPage<Row>(
  order: Order<NoInfer<Row>>,
  { cursor, size }: { cursor: string | null; size: number },
  read: (part: Part) => PromiseLike<Row[]>,
): Promise<ListPage<Row>> {
  const place = readCursor(order, cursor);
  if (place?.side === "before") {
    const found = await read(buildPart(reverseOrder(order), place.values, size + 1));
    const rows = found.slice(0, size).toReversed();
    // With fewer rows before it than fill a page, the page before is the first one.
    if (found.length > size) return { rows, ...buildCursors(order, rows) };
  }
  const behind = place?.side === "after" ? place.values : null;
  const found = await read(buildPart(order, behind, size + 1));
  const rows = found.slice(0, size);
  const { previous, next } = buildCursors(order, rows);
  return { rows, previous: behind && previous, next: found.length > size ? next : null };
}

/**
 * The same, for a list that is gone through from page to page while its rows leave it: where nothing is left
 * behind the page before, it is the last page, rather than none.
 */
export async function readPageOrLast<Row>(
  ...[order, asked, read]: Parameters<typeof readPage<Row>>
): Promise<ListPage<Row>> {
  const page = await readPage(order, asked, read);
  if (page.rows.length > 0 || readCursor(order, asked.cursor) === null) return page;
  const found = await read(buildPart(reverseOrder(order), null, asked.size + 1));
  const rows = found.slice(0, asked.size).toReversed();
  const { previous } = buildCursors(order, rows);
  return { rows, previous: found.length > asked.size ? previous : null, next: null };
}

/** Returns the first page's part for {@link readPage}, for a prepared query. */
export function getFirstPart<Row>(order: Order<Row>, size: number): Part {
  return buildPart(order, null, size + 1);
}

function reverseOrder<Row>(order: Order<Row>): Order<Row> {
  return { ...order, direction: order.direction === "asc" ? "desc" : "asc" };
}

function buildPart<Row>(
  { keys, direction }: Order<Row>,
  place: Value[] | null,
  limit: number,
): Part {
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
 * The values of a cursor. Dates in milliseconds, from the year 1 to 9999, since others are formatted
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

/** @returns null for what is no cursor of this order */
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

/** Counts stop here: counting on takes longer than the list itself. */
const mostCounted = 1000;

/** The number of rows read in about a millisecond. */
const nearby = 2000;

/**
 * Reads what a search finds. What most rows hold is found among the nearest. What few of those hold is
 * looked up in the index of its letters: going on in the order of the list could mean going through all of it.
 *
 * @param readAmong reads a part of the table, or of rows that stand in its place
 */
export async function readFound<Table extends PgTable, Row>(
  db: Database,
  table: Table,
  isFound: SQL,
  part: Part,
  readAmong: (source: Table, part: Part) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const whole: PgTable = table;
  const rowsOf = (where: SQL | undefined) => db.select().from(whole).where(where);
  const inPlace = (rows: { as(name: string): unknown }) => rows.as(getTableName(table)) as Table;
  const nearest = inPlace(
    rowsOf(part.where)
      .orderBy(...part.orderBy)
      .limit(nearby),
  );
  const near = await readAmong(nearest, { ...part, where: isFound });
  if (near.length === part.limit) return near;
  // A limit keeps the planner from merging the two queries, and so from going through the list.
  return readAmong(inPlace(rowsOf(isFound).limit(everyRow)), part);
}

const everyRow = 2 ** 31 - 1;

/**
 * Counts rows, up to a thousand unless told otherwise.
 *
 * @param orderBy the order of the list, where it is what the rows are found by
 */
export async function countUpTo(
  db: Database,
  table: PgTable,
  where: SQL | undefined,
  { most = mostCounted, orderBy = [] }: { most?: number; orderBy?: SQL[] } = {},
): Promise<Count> {
  const rows = await db.$count(selectFirstRows(db, table, where, { most, orderBy }));
  return countOf(rows, most);
}

/** The same, up to a thousand, as a column of a query that reads more. */
export function countColumn(db: Database, table: PgTable, where: SQL | undefined): SQL<Count> {
  const rows = db.$count(selectFirstRows(db, table, where));
  return sql`${rows}`.mapWith((counted: unknown) => countOf(Number(counted)));
}

/** One row more than are counted, at most. */
function selectFirstRows(
  db: Database,
  table: PgTable,
  where: SQL | undefined,
  { most = mostCounted, orderBy = [] }: { most?: number; orderBy?: SQL[] } = {},
) {
  return db
    .select({ one: sql`1`.as("one") })
    .from(table)
    .where(where)
    .orderBy(...orderBy)
    .limit(most + 1)
    .as("first_of");
}

function countOf(rows: number, most = mostCounted): Count {
  return { counted: Math.min(rows, most), isMore: rows > most };
}

/**
 * True in SQL when a text contains these letters. Indexes of its trigrams and of its `pairs_in` serve it.
 *
 * @param text in the form that `search_form` gives, as its indexes have it
 * @param letters as they were typed
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

/** The same, for the rows that something else finds: no index serves it. */
export function containsTextUnindexed(text: SQLWrapper, letters: string): SQL {
  return sql`strpos(${text}, search_form(${letters})) > 0`;
}

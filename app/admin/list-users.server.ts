import { and, eq, inArray, not, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { staffRoleNames } from "../accounts/roles.ts";
import { staffRoles, users } from "../accounts/tables.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { readCursor, writeCursor } from "../platform/list.server.ts";
import type { UsersQuery } from "./users-query.ts";

export const usersPerPage = 50;

export type ListedUser = {
  id: string;
  email: string;
  registeredAt: Date;
  /** The highest role that the person holds, or "user". */
  role: string;
  isBanned: boolean;
};

/**
 * Lists everybody who has an account, in pages.
 *
 * @returns `next`, the cursor of the page behind this one, and `total`, the count of all pages
 */
export async function listUsers(
  db: Database,
  actor: Actor | null,
  query: UsersQuery,
): Promise<{ rows: ListedUser[]; next: string | null; total: number }> {
  authorize(actor, "user.oversee");
  const matching = matches(db, query.search);
  const { read, place } = sorts[query.by];
  const asked = { db, matching, direction: query.direction, limit: usersPerPage + 1 };
  const [rows, total] = await Promise.all([
    read(asked, readPlace(query)),
    db.$count(users, matching),
  ]);
  const shown = rows.slice(0, usersPerPage);
  const last = shown.at(-1);
  const moment = now();
  return {
    rows: shown.map(({ bannedUntil, ...user }) => ({
      ...user,
      isBanned: bannedUntil !== null && bannedUntil > moment,
    })),
    next: last && rows.length > shown.length ? writeCursor([nameOf(query), ...place(last)]) : null,
    total,
  };
}

/** The highest role of each person who has any: god admin, then job-board adder, then reviewer. */
function highestRoles(db: Database) {
  const rank = sql`array_position(array['god_admin', 'job_board_adder', 'reviewer'], ${staffRoles.role})`;
  return db
    .selectDistinctOn([staffRoles.userId], { userId: staffRoles.userId, role: staffRoles.role })
    .from(staffRoles)
    .orderBy(staffRoles.userId, rank)
    .as("highest");
}

/** Part of an address or of a role. Addresses are lower case, and LIKE is faster than ILIKE. */
function matches(db: Database, search: string): SQL | undefined {
  if (!search) return undefined;
  const isFound = (role: string) => role.includes(search.toLowerCase());
  const roles = staffRoleNames.filter(isFound);
  const highest = highestRoles(db);
  return or(
    sql`${users.email} like lower(${`%${search.replace(/[\\%_]/g, "\\$&")}%`})`,
    roles.length > 0
      ? inArray(
          users.id,
          db.select({ id: highest.userId }).from(highest).where(inArray(highest.role, roles)),
        )
      : undefined,
    isFound(customer) ? not(isStaff(db)) : undefined,
  );
}

const customer = "user";

function isStaff(db: Database): SQL {
  return inArray(users.id, db.select({ id: staffRoles.userId }).from(staffRoles));
}

type Asked = {
  db: Database;
  matching: SQL | undefined;
  direction: UsersQuery["direction"];
  limit: number;
};
type Row = Omit<ListedUser, "isBanned"> & { bannedUntil: Date | null };
type Place = string[] | null;

/** How each sort is read from behind a place, and what names the place of a row. */
const sorts: Record<
  UsersQuery["by"],
  { read(asked: Asked, place: Place): Promise<Row[]>; place(row: Row): string[] }
> = {
  email: { read: readBy([sql`${users.email}`], ["text"]), place: ({ email }) => [email] },
  registered: {
    read: readBy([sql`${users.createdAt}`, sql`${users.id}`], ["timestamptz", "uuid"]),
    place: ({ registeredAt, id }) => [registeredAt.toISOString(), id],
  },
  role: { read: readByRole, place: ({ role, email }) => [role, email] },
};

/** Each order ends with what only one person has. */
function readBy(order: SQL[], types: string[]) {
  return async (asked: Asked, place: Place): Promise<Row[]> => {
    const highest = highestRoles(asked.db);
    const role = sql<string>`coalesce(${highest.role}, ${customer})`;
    return select(asked, role)
      .leftJoin(highest, eq(highest.userId, users.id))
      .where(and(asked.matching, behind(asked, order, types, place)))
      .orderBy(...inOrder(asked, order))
      .limit(asked.limit);
  };
}

/** The few who are staff and the many who are not are read apart, each in the order of an index. */
async function readByRole(asked: Asked, place: Place): Promise<Row[]> {
  const parts = [readStaff, readCustomers];
  const rows: Row[] = [];
  for (const part of asked.direction === "asc" ? parts : parts.toReversed()) {
    const limit = asked.limit - rows.length;
    if (limit > 0) rows.push(...(await part({ ...asked, limit }, place)));
  }
  return rows;
}

/** In the alphabet, every staff role stands before the word for customers. */
async function readStaff(asked: Asked, place: Place): Promise<Row[]> {
  if (place?.[0] === customer && asked.direction === "asc") return [];
  const highest = highestRoles(asked.db);
  const order = [sql`${highest.role} collate "C"`, sql`${users.email}`];
  const before = place?.[0] === customer ? null : place;
  return select(asked, sql<string>`${highest.role}`)
    .innerJoin(highest, eq(highest.userId, users.id))
    .where(and(asked.matching, behind(asked, order, ["text", "text"], before)))
    .orderBy(...inOrder(asked, order))
    .limit(asked.limit);
}

async function readCustomers(asked: Asked, place: Place): Promise<Row[]> {
  const [role, email] = place ?? [];
  if (role !== undefined && role !== customer && asked.direction === "desc") return [];
  const order = [sql`${users.email}`];
  const before = role === customer && email !== undefined ? [email] : null;
  return select(asked, sql<string>`${customer}::text`)
    .where(and(asked.matching, not(isStaff(asked.db)), behind(asked, order, ["text"], before)))
    .orderBy(...inOrder(asked, order))
    .limit(asked.limit);
}

function select({ db }: Asked, role: SQL<string>) {
  return db
    .select({
      id: users.id,
      email: users.email,
      registeredAt: users.createdAt,
      bannedUntil: users.bannedUntil,
      role,
    })
    .from(users)
    .$dynamic();
}

const inOrder = ({ direction }: Asked, order: SQL[]) =>
  order.map((part) => sql`${part} ${sql.raw(direction)}`);

function behind({ direction }: Asked, order: SQL[], types: string[], place: Place) {
  if (!place) return undefined;
  const compared = sql.raw(direction === "asc" ? ">" : "<");
  const typed = place.map((value, index) => sql`${value}::${sql.raw(types[index]!)}`);
  return sql`(${sql.join(order, sql`, `)}) ${compared} (${sql.join(typed, sql`, `)})`;
}

const nameOf = ({ by, direction }: UsersQuery) => `${by}.${direction}`;
const cursors = {
  email: z.tuple([z.string(), z.string()]),
  registered: z.tuple([z.string(), z.iso.datetime(), z.guid()]),
  role: z.tuple([z.string(), z.string(), z.string()]),
};

/** A cursor of another sort is none. */
function readPlace(query: UsersQuery): Place {
  const place = readCursor<z.ZodType<string[]>>(query.after, cursors[query.by]);
  if (!place) return null;
  const [name, ...values] = place;
  return name === nameOf(query) ? values : null;
}

import { and, count, eq, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/authorize.server.ts";
import { staffRoleNames } from "../accounts/roles.ts";
import { staffRoles, users } from "../accounts/tables.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { readCursor, writeCursor } from "../platform/page-cursor.server.ts";
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
  const highest = highestRoles(db);
  const role = sql<string>`coalesce(${highest.role}, 'user')`;
  const matching = matches(query.search, role);
  const { order, place } = sorts[query.by](role);
  const direction = sql.raw(query.direction);
  const [rows, [counted]] = await Promise.all([
    db
      .select({
        id: users.id,
        email: users.email,
        registeredAt: users.createdAt,
        bannedUntil: users.bannedUntil,
        role,
      })
      .from(users)
      .leftJoin(highest, eq(highest.userId, users.id))
      .where(and(matching, behind(query, order)))
      .orderBy(...order.map((part) => sql`${part} ${direction}`))
      .limit(usersPerPage + 1),
    db
      .select({ total: count() })
      .from(users)
      .leftJoin(highest, eq(highest.userId, users.id))
      .where(matching),
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
    total: counted?.total ?? 0,
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

/** Only a search that a role contains looks at roles: the others are look-ups of addresses alone. */
function matches(search: string, role: SQL): SQL | undefined {
  if (!search) return undefined;
  const roles = [...staffRoleNames, "user"].filter((name) => name.includes(search.toLowerCase()));
  const ofAddress = ilike(users.email, `%${search.replace(/[\\%_]/g, "\\$&")}%`);
  return roles.length > 0 ? or(ofAddress, inArray(role, roles)) : ofAddress;
}

type Row = { id: string; email: string; registeredAt: Date; role: string };

/** Each order ends with what only one person has. */
const sorts: Record<
  UsersQuery["by"],
  (role: SQL) => { order: SQL[]; place(row: Row): (string | number)[] }
> = {
  email: () => ({ order: [sql`${users.email}`], place: ({ email }) => [email] }),
  registered: () => ({
    order: [sql`${users.createdAt}`, sql`${users.id}`],
    place: ({ registeredAt, id }) => [registeredAt.toISOString(), id],
  }),
  role: (role) => ({
    order: [sql`${role} collate "C"`, sql`${users.email}`],
    place: ({ role: own, email }) => [own, email],
  }),
};

const nameOf = ({ by, direction }: UsersQuery) => `${by}.${direction}`;
const casts = { email: ["text"], registered: ["timestamptz", "uuid"], role: ["text", "text"] };
const cursors = {
  email: z.tuple([z.string(), z.string()]),
  registered: z.tuple([z.string(), z.iso.datetime(), z.uuid()]),
  role: z.tuple([z.string(), z.string(), z.string()]),
};

/** A cursor of another sort is none. */
function behind(query: UsersQuery, order: SQL[]): SQL | undefined {
  const place = readCursor<z.ZodType<string[]>>(query.after, cursors[query.by]);
  if (!place) return undefined;
  const [name, ...values] = place;
  if (name !== nameOf(query)) return undefined;
  const compared = sql.raw(query.direction === "asc" ? ">" : "<");
  const typed = values.map((value, index) => sql`${value}::${sql.raw(casts[query.by][index]!)}`);
  return sql`(${sql.join(order, sql`, `)}) ${compared} (${sql.join(typed, sql`, `)})`;
}

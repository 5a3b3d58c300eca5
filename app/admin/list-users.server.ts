import { inArray, or, type SQL, sql, type Subquery } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { staffRoleNames } from "../accounts/roles.ts";
import { users } from "../accounts/tables.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import {
  countUpTo,
  holds,
  type ListPage,
  type Order,
  type Part,
  readPage,
} from "../platform/list.server.ts";
import { type Count, writeSort } from "../platform/lists.ts";
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
 * @returns `total`, the count of what the search finds
 */
export async function listUsers(
  db: Database,
  actor: Actor | null,
  query: UsersQuery,
): Promise<ListPage<ListedUser> & { total: Count }> {
  authorize(actor, "user.oversee");
  const isFound = matches(query.search);
  const [{ rows, ...beside }, total] = await Promise.all([
    readPage(orderOf(query), { cursor: query.after, size: usersPerPage }, (part) =>
      isFound ? readFound(db, isFound, part) : readAmong(db, users, part),
    ),
    countUpTo(db, users, isFound),
  ]);
  const moment = now();
  return {
    rows: rows.map(({ bannedUntil, ...user }) => ({
      ...user,
      isBanned: bannedUntil !== null && bannedUntil > moment,
    })),
    total,
    ...beside,
  };
}

/** As many as are read in about a millisecond. */
const nearby = 2000;

/**
 * What most rows hold is found among the nearest. What few of those hold is looked up in the index of its
 * letters: going on in the order of the list could mean going through all of it.
 */
async function readFound(db: Database, isFound: SQL, part: Part) {
  const nearest = db
    .select()
    .from(users)
    .where(part.where)
    .orderBy(...part.orderBy)
    .limit(nearby)
    .as("users");
  const near = await readAmong(db, nearest, { ...part, where: isFound });
  if (near.length === part.limit) return near;
  // A limit keeps the planner from merging the two queries, and so from going through the list.
  const found = db.select().from(users).where(isFound).limit(everybody).as("users");
  return readAmong(db, found, part);
}

const everybody = 2 ** 31 - 1;

type Source = typeof users | Subquery;

function readAmong(db: Database, source: Source, { where, orderBy, limit }: Part) {
  return db
    .select(listed)
    .from(source as typeof users)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
}

const listed = {
  id: users.id,
  email: users.email,
  registeredAt: users.createdAt,
  role: users.highestRole,
  bannedUntil: users.bannedUntil,
};

/** Part of an address or of a role. Addresses are lower case, and LIKE is faster than ILIKE. */
function matches(search: string): SQL | undefined {
  if (!search) return undefined;
  const roles = [...staffRoleNames, "user"].filter((role) => role.includes(search.toLowerCase()));
  return or(
    holds(users.email, search, (letters) => sql`lower(${letters})`),
    roles.length > 0 ? inArray(users.highestRole, roles) : undefined,
  );
}

/** Each order ends with what only one person has. */
function orderOf({ by, direction }: UsersQuery): Order<Omit<ListedUser, "isBanned">> {
  const email = {
    by: users.email,
    type: "text",
    of: (user: { email: string }) => user.email,
  } as const;
  const keys: Record<UsersQuery["by"], Order<Omit<ListedUser, "isBanned">>["keys"]> = {
    email: [email],
    registered: [
      { by: users.createdAt, type: "timestamptz", of: ({ registeredAt }) => registeredAt },
      { by: users.id, type: "uuid", of: ({ id }) => id },
    ],
    role: [{ by: users.highestRole, type: "text", of: ({ role }) => role }, email],
  };
  return { name: writeSort({ by, direction }), keys: keys[by], direction };
}

import { and, eq, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { staffRoleNames } from "../accounts/roles.ts";
import { profiles, users } from "../accounts/tables.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import {
  buildKeys,
  countUpTo,
  containsText,
  containsTextUnindexed,
  type ListPage,
  type Part,
  readFound,
  readPageOrLast,
} from "../platform/lists/list.server.ts";
import type { Count } from "../platform/lists/lists.ts";
import { writeSort } from "../platform/lists/sorts.ts";
import { toSearchForm } from "../platform/text/text.ts";
import type { UsersQuery } from "./users-query.ts";

export const usersPerPage = 50;

type ListedUser = {
  id: string;
  email: string;
  /** Null if the person never gave one. */
  name: string | null;
  registeredAt: Date;
  /** The person's highest role, or "user". */
  role: string;
  isBanned: boolean;
};

/**
 * Lists all accounts that aren't closed, in pages.
 *
 * @returns `total`: the number of matches
 */
export async function listUsers(
  db: Database,
  actor: Actor | null,
  query: UsersQuery,
): Promise<ListPage<ListedUser> & { total: Count }> {
  authorize(actor, "user.oversee");
  const sought = matchesUserSearch(query.search);
  const isMatch = and(sought, isNull(users.closedAt));
  const [{ rows, ...cursors }, total] = await Promise.all([
    readPageOrLast(buildUserOrder(query), { cursor: query.after, size: usersPerPage }, (part) =>
      sought && isMatch
        ? readFound(db, users, isMatch, part, (source, page) => selectUsers(db, source, page))
        : selectUsers(db, users, { ...part, where: and(isMatch, part.where) }),
    ),
    countUpTo(db, users, isMatch),
  ]);
  const moment = now();
  return {
    rows: rows.map(({ bannedUntil, ...user }) => ({
      ...user,
      isBanned: bannedUntil !== null && bannedUntil > moment,
    })),
    total,
    ...cursors,
  };
}

function selectUsers(db: Database, source: typeof users, { where, orderBy, limit }: Part) {
  return db
    .select(listedColumns)
    .from(source)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
}

const listedColumns = {
  id: users.id,
  email: users.email,
  name: profiles.fullName,
  registeredAt: users.createdAt,
  role: users.highestRole,
  bannedUntil: users.bannedUntil,
};

/** Matches part of an email address or a role. Addresses are stored in the form that searches use. */
function matchesUserSearch(search: string): SQL | undefined {
  if (!search) return undefined;
  const roles = [...staffRoleNames, "user"].filter((role) => role.includes(toSearchForm(search)));
  return or(
    matchesEmailSearch(search),
    roles.length > 0 ? inArray(users.highestRole, roles) : undefined,
  );
}

/** For a complete address, the part before the @ is looked up first: many addresses share the domain. */
function matchesEmailSearch(search: string): SQL | undefined {
  const [name] = search.split("@", 1);
  return name === search || name!.length < 3
    ? containsText(users.email, search)
    : and(containsText(users.email, name!), containsTextUnindexed(users.email, search));
}

/** Each order ends with a unique column, so that pages have no gaps. */
function buildUserOrder({ by, direction }: UsersQuery) {
  const keys = {
    email: buildKeys({ email: users.email }),
    registered: buildKeys({ registeredAt: users.createdAt, id: users.id }),
    role: buildKeys({ role: users.highestRole, email: users.email }),
  };
  return { name: writeSort({ by, direction }), keys: keys[by], direction };
}

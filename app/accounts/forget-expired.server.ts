import { and, eq, gt, lt, not, notExists, sql } from "drizzle-orm";
import { day, now } from "../platform/clock.ts";
import { type Database, purge } from "../platform/database.server.ts";
import { oneTimeLinks, sessions, users } from "./tables.server.ts";

/** An address that nobody confirms, and a link that nobody follows, are forgotten after this. */
const patience = 7 * day;

/** Forgets sessions that are over, and tells how many. */
export function forgetEndedSessions(db: Database): Promise<number> {
  return purge(db, sessions, sessions.id, lt(sessions.expiresAt, now()));
}

/** Forgets mailed links that ended a week ago: until then a new one leads where the old one would. */
export function forgetOldLinks(db: Database): Promise<number> {
  const ended = new Date(now().getTime() - patience);
  return purge(db, oneTimeLinks, oneTimeLinks.tokenHash, lt(oneTimeLinks.expiresAt, ended));
}

/**
 * Forgets accounts that were never confirmed, a week after their last sign-up, unless a link to
 * confirm them is still good or anything but their own rows refers to them.
 */
export async function forgetUnconfirmedAccounts(db: Database): Promise<number> {
  const moment = now();
  const liveLink = db
    .select({ userId: oneTimeLinks.userId })
    .from(oneTimeLinks)
    .where(and(eq(oneTimeLinks.userId, users.id), gt(oneTimeLinks.expiresAt, moment)));
  const attached = (await references(db)).map(
    ({ table, column }) => sql`not exists (select from ${sql.identifier(table)} as attached
      where attached.${sql.identifier(column)} = ${users.id})`,
  );
  const isOver = and(
    not(users.emailVerified),
    lt(users.updatedAt, new Date(moment.getTime() - patience)),
    notExists(liveLink),
    ...attached,
  );
  return purge(db, users, users.id, isOver);
}

/** What an account consists of, and goes with it. */
const ownTables = [
  "accounts",
  "profiles",
  "sessions",
  "one_time_links",
  "authenticators",
  "recovery_codes",
  "half_sign_ins",
  "passkeys",
];

/** Every other column that names an account, or its profile, as the database itself knows them. */
async function references(db: Database): Promise<{ table: string; column: string }[]> {
  const { rows } = await db.execute<{ table: string; column: string }>(sql`
    select referring.relname as table, attname as column
    from pg_constraint
    join pg_class as referring on referring.oid = conrelid
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid in ('users'::regclass, 'profiles'::regclass)
      and referring.relname <> all(${sql.param(ownTables)})`);
  return rows;
}

import { or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { profiles, users } from "../accounts/tables.server.ts";
import type { Database } from "../platform/database.server.ts";
import { containsText } from "../platform/lists/list.server.ts";

/**
 * A SQL condition that is true for people whose email address or name contains a search. Each part has its own index.
 *
 * @param id the column with the person's id
 * @param max the number of people to consider for each part
 */
export function matchesPeopleSearch(
  db: Database,
  id: PgColumn,
  { search, max }: { search: string; max: number },
): SQL | undefined {
  const byAddress = db
    .select({ id: users.id })
    .from(users)
    .where(containsText(users.email, search))
    .limit(max);
  const byName = db
    .select({ id: profiles.id })
    .from(profiles)
    .where(containsText(sql`search_form(${profiles.fullName})`, search))
    .limit(max);
  return or(sql`${id} = any(array(${byAddress}))`, sql`${id} = any(array(${byName}))`);
}

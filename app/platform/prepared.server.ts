import type { Database } from "./database.server.ts";

/**
 * A query that is asked often, put together once for each handle: that takes 0.05 to 0.5 ms, much of what a page
 * takes. What differs from request to request stands in it as `sql.placeholder`, and by its name
 * PostgreSQL plans it once for each connection.
 *
 * @param prepare builds the query and ends with `.prepare("a_name_of_its_own")`
 */
export function prepared<Query>(prepare: (db: Database) => Query): (db: Database) => Query {
  const queries = new WeakMap<Database, Query>();
  return (db) => {
    const known = queries.get(db);
    if (known !== undefined) return known;
    const query = prepare(db);
    queries.set(db, query);
    return query;
  };
}

import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./database.server.ts";

/** So few at once that nobody waits long for them. */
const batchSize = 500;
/** A run that finds more leaves it to the next. */
const mostBatches = 200;

/**
 * Deletes the rows that are over, in small steps, each a transaction of its own. A row that somebody
 * is changing at that moment stays for the next run.
 *
 * @param key the table's primary key
 */
export async function purge(
  db: Database,
  table: PgTable,
  key: PgColumn,
  isOver: SQL | undefined,
): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch++) {
    const over = db
      .select({ key })
      .from(table)
      .where(isOver)
      .limit(batchSize)
      .for("update", { skipLocked: true });
    // An array is made once; a plain subquery may be run again for each row and take more than a batch.
    const { rowCount } = await db.delete(table).where(sql`${key} = any(array(${over}))`);
    if ((rowCount ?? 0) < batchSize) return;
  }
}

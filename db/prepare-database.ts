import { applyMigrations } from "../app/platform/database.server.ts";
import { createOnlineIndexes } from "./online-indexes.ts";

/**
 * Brings the database up to this version: migrations, then the indexes of large tables.
 *
 * @param url not a pooler's
 */
export async function prepareDatabase(url: string): Promise<void> {
  await applyMigrations(url);
  await createOnlineIndexes(url);
}

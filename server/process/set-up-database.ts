import { loadPlaces } from "../../app/jobs/places/load-places.server.ts";
import { openDatabase, taskLimits, waitForDatabase } from "../../app/platform/database.server.ts";
import { prepareDatabase } from "../../db/prepare-database.ts";

/**
 * Waits for the database, applies new migrations, creates indexes, and loads the known places.
 *
 * @param url not a pooler's, since migrations lock the connection
 * @param say called with the reason for a wait
 * @throws {Unavailable} when the database doesn't answer within five minutes
 */
export async function setUpDatabase(url: string, say: (line: string) => void): Promise<void> {
  await waitForDatabase(url, say);
  await prepareDatabase(url);
  const { db, close } = openDatabase(url, { max: 1, limits: taskLimits });
  await loadPlaces(db).finally(close);
}

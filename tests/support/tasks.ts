import { sql } from "drizzle-orm";
import type { Database } from "../../app/platform/database.server.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { testTasks } from "./config.ts";

/**
 * Does the queued tasks, once each, in the order in which they were queued.
 *
 * @returns the names of the tasks that were done.
 */
export async function runTasks(db: Database, tasks = testTasks()): Promise<string[]> {
  const { rows } = await db.execute<{ id: string; name: string; data: object }>(
    sql`update pgboss.job set state = 'completed' where state = 'created' and name not like '\\_\\_%' returning id, name, data`,
  );
  for (const { name, data } of rows) {
    const task = tasks.find((known) => known.name === name);
    if (!task) throw new Error(`No task is called ${name}.`);
    await task.run(data, { db, log: createLog("error") });
  }
  return rows.map((row) => row.name);
}

import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../../app/platform/database.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { startTasks } from "../../../app/platform/tasks.server.ts";
import { dropDatabase, onServer } from "./own-postgres.ts";
import { whenFileEnds } from "./when-file-ends.ts";

export type TestDatabase = { db: Database; url: string };

/**
 * Creates a migrated database on the test server, dropped after the file's tests. Tasks can be queued in it;
 * `runTasks` of `tests/support/product/tasks.ts` runs them.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  // Copied as files, it costs the server half as much as row by row through its log.
  const template = inject("templateDatabase");
  await onServer(server, `create database ${name} template ${template} strategy file_copy`);

  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href, { max: 20 });
  // The template has the queues: most files need none of what the tasks do, which is most of the product.
  const stopTasks = await startTasks(database, [], createLog("error"), { work: false });
  whenFileEnds(async () => {
    await stopTasks();
    await database.close();
    await dropDatabase(server, name);
  });
  return { db: database.db, url: url.href };
}

import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../../app/platform/database.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { startTasks } from "../../../app/platform/tasks.server.ts";
import { dropDatabase, onServer } from "./own-postgres.ts";
import { whenFileEnds } from "./when-file-ends.ts";

/**
 * Creates a database without tables on the test server, and drops it after the file's tests.
 *
 * @param options of `create database`, such as its locale
 * @returns its URL
 */
export async function emptyDatabase(options = ""): Promise<string> {
  const server = inject("postgresUrl");
  const name = `empty_${randomUUID().replaceAll("-", "")}`;
  await onServer(server, `create database ${name} ${options}`);
  whenFileEnds(() => dropDatabase(server, name));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export type TestDatabase = { db: Database; url: string };

/**
 * Creates a migrated database on the test server and drops it after the file's tests. Tasks can be queued in it;
 * `runTasks` in `tests/support/product/tasks.ts` runs them.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  // Copying files takes half as long as copying rows through the write-ahead log.
  const template = inject("templateDatabase");
  await onServer(server, `create database ${name} template ${template} strategy file_copy`);

  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href, { max: 20 });
  // The template already has the queues. Importing the tasks would import most of the product.
  const stopTasks = await startTasks(database, [], createLog("error"), { work: false });
  whenFileEnds(async () => {
    await stopTasks();
    await database.close();
    await dropDatabase(server, name);
  });
  return { db: database.db, url: url.href };
}

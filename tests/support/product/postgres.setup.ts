import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../../app/platform/database.server.ts";
import { loadPlaces } from "../../../app/jobs/places/load-places.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { startTasks } from "../../../app/platform/tasks.server.ts";
import { startEmbeddedPostgres } from "../../../server/embedded-postgres.ts";
import { testTasks } from "./tasks.ts";
import { prepareDatabase } from "../../../db/prepare-database.ts";

/** Starts one PostgreSQL for all test files, with a migrated database that each file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-test-"));
  const server = process.env.TEST_DATABASE_URL
    ? { url: process.env.TEST_DATABASE_URL, folder: dataDir, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });

  const template = `template_${process.pid}`;
  await onServer(server.url, `create database ${template}`);
  await fillTemplate(withDatabase(server.url, template));

  project.provide("postgresUrl", server.url);
  project.provide("templateDatabase", template);
  return async () => {
    await onServer(server.url, `drop database ${template}`);
    await server.stop();
    for (const folder of [server.folder, dataDir])
      await rm(folder, { recursive: true, force: true });
  };
}

async function fillTemplate(url: string): Promise<void> {
  await prepareDatabase(url);
  const database = openDatabase(url, { max: 2 });
  await loadPlaces(database.db);
  const stop = await startTasks(database, testTasks(), createLog("error"), { work: false });
  await stop();
  await database.close();
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    templateDatabase: string;
  }
}

import { join } from "node:path";
import { sql } from "drizzle-orm";
import {
  createAnnotatedPdfs,
  createAnnotateProcess,
} from "../../../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import { createDiskStore } from "../../../app/files/disk-store.server.ts";
import { renderProcess } from "../../../app/files/render/render-process.server.ts";
import {
  createDiskPartials,
  getUploadsFolder,
} from "../../../app/files/receive/partials.server.ts";
import { createMailTransport } from "../../../app/mail/transport.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import type { Leases } from "../../../app/platform/leases.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { createTasks } from "../../../server/services/tasks.ts";
import { testConfig } from "./config.ts";
import { testPayments } from "../payments/payments.ts";

/** The product's tasks, wired as in demo mode. */
export function testTasks(
  config = testConfig(),
  payments = testPayments(config.payu),
  renderer = renderProcess(),
) {
  const store = createDiskStore(join(config.dataDir, "files"));
  const partials = createDiskPartials(getUploadsFolder(config));
  const transport = createMailTransport(config);
  const pdfs = createAnnotatedPdfs({ config, store, annotator: createAnnotateProcess() });
  return createTasks({ config, transport, payments, store, partials, renderer, leases, pdfs });
}

/** Leases for a single process. */
const leases: Leases = {
  take: async () => ({ giveBack: async () => {} }),
  askFor: async () => {},
};

/**
 * Runs the queued tasks once each, in the order they were queued.
 *
 * @returns the names of the tasks that ran
 */
export async function runTasks(db: Database, tasks = testTasks()): Promise<string[]> {
  const { rows } = await db.execute<{ id: string; name: string; data: object }>(
    sql`update pgboss.job set state = 'completed' where state = 'created' and name not like '\\_\\_%' returning id, name, data`,
  );
  for (const { name, data } of rows) {
    const task = tasks.find((known) => known.name === name);
    if (!task) throw new Error(`There is no task ${name}.`);
    await task.run(data, { db, log: createLog("error") });
  }
  return rows.map((row) => row.name);
}

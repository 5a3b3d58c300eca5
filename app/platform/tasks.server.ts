import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss, type SendOptions } from "pg-boss";
import type { Database } from "./database.server.ts";
import type { Log } from "./log.server.ts";

/**
 * Work that is done behind the request: queued in the transaction that causes it, kept in the same
 * PostgreSQL, repeated until it succeeds. ("Job" means a vacancy in this product.)
 */
export type Task<Data extends object> = {
  name: string;
  /** How often it is tried again after a failure, and after how many seconds at first. */
  retries?: number;
  retryDelay?: number;
  /** Cron expression (UTC) for a task that runs by itself. */
  schedule?: string;
  run: (data: Data, machine: { db: Database; log: Log }) => Promise<void>;
};

// The queue's client is the process's; the rows always go through the caller's transaction.
const shared = globalThis as { nakshaTasks?: PgBoss };

/** Queues a task in the given transaction: it runs when the transaction commits, and only then. */
export async function enqueue<Data extends object>(
  tx: Database,
  task: Pick<Task<Data>, "name">,
  data: Data,
  options: SendOptions = {},
): Promise<void> {
  if (!shared.nakshaTasks) throw new Error("Tasks are queued only after startTasks.");
  await shared.nakshaTasks.send(task.name, data, { ...options, db: fromDrizzle(tx, sql) });
}

/**
 * Opens the queue, and works through it unless `work` is false.
 *
 * @returns how to stop: waits for the tasks that are running.
 */
export async function startTasks(
  url: string,
  // oxlint-disable-next-line typescript/no-explicit-any -- each task has data of its own kind
  tasks: Task<any>[],
  machine: { db: Database; log: Log },
  { work = true }: { work?: boolean } = {},
): Promise<() => Promise<void>> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: "naksha",
    max: 3,
    supervise: work,
    schedule: work,
  });
  boss.on("error", (error) => machine.log.error({ err: error }, "task queue"));
  await boss.start();
  shared.nakshaTasks = boss;

  for (const task of tasks) {
    await boss.createQueue(task.name, {
      retryLimit: task.retries ?? 5,
      retryDelay: task.retryDelay ?? 5,
      retryBackoff: true,
    });
    if (!work) continue;
    if (task.schedule) await boss.schedule(task.name, task.schedule);
    await boss.work(task.name, { pollingIntervalSeconds: 0.5 }, async ([queued]) => {
      if (queued) await task.run(queued.data ?? {}, machine);
    });
  }
  return () => boss.stop({ graceful: true, timeout: 10_000 });
}

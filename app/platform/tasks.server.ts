import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss, systemClock } from "pg-boss";
import { minute } from "./clock.ts";
import type { Database, DatabasePool } from "./database.server.ts";
import { type Log, logFailure } from "./log.server.ts";
import { runTraced } from "./traces.server.ts";

/**
 * Background work, queued in the transaction that causes it, stored in the same PostgreSQL and retried until it
 * succeeds. ("Job" means a vacancy in this product.)
 */
export type Task<Data extends object> = {
  name: string;
  /** The number of retries after a failure, and the first and longest pause in seconds. */
  retries?: number;
  retryDelay?: number;
  retryDelayMax?: number;
  /** The number that run at the same time in one process. */
  atOnce?: number;
  /** The seconds after which a run whose process was killed is started again. */
  lostAfter?: number;
  /** A cron expression (UTC) for a scheduled task. */
  schedule?: string;
  run: (data: Data, app: { db: Database; log: Log }) => Promise<void>;
};

// The queue's client belongs to the process. The rows always go through the caller's transaction.
const shared = globalThis as { nakshaTasks?: PgBoss };

/** Queues a task in the given transaction. It runs only if the transaction commits. */
export async function queueTask<Data extends object>(
  tx: Database,
  task: Pick<Task<Data>, "name">,
  data: Data,
): Promise<void> {
  if (!shared.nakshaTasks) throw new Error("Tasks are queued only after startTasks.");
  await shared.nakshaTasks.send(task.name, data, { db: fromDrizzle(tx, sql) });
}

/** A clock that can't be set. With the system clock, no task would be due after it was set back. */
const steadyClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

/** The interval between searches for lost tasks. */
const superviseSeconds = 15;

/**
 * Opens the queue, and runs its tasks unless `work` is false.
 *
 * @param database a separate pool, so that waiting tasks don't block pages
 * @returns a function that waits for running tasks and stops
 */
export async function startTasks(
  { db, query }: Pick<DatabasePool, "db" | "query">,
  // oxlint-disable-next-line typescript/no-explicit-any -- each task has data of its own kind
  tasks: Task<any>[],
  log: Log,
  { work = true }: { work?: boolean } = {},
): Promise<() => Promise<void>> {
  const boss = new PgBoss({
    db: { executeSql: query },
    supervise: work,
    schedule: work,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    clock: steadyClock,
    // Checks this clock, which stops while a computer sleeps, against PostgreSQL's, which decides when tasks are due.
    clockMonitorIntervalSeconds: 60,
  });
  boss.on("error", createSparingErrorLog(log));
  await boss.start();
  shared.nakshaTasks = boss;

  for (const task of tasks) {
    const queue = {
      retryLimit: task.retries ?? 5,
      retryDelay: task.retryDelay ?? 5,
      retryBackoff: true,
      ...(task.retryDelayMax && { retryDelayMax: task.retryDelayMax }),
      expireInSeconds: task.lostAfter ?? 15 * 60,
    };
    await boss.createQueue(task.name, queue);
    if (!work) continue;
    // Updates a queue created by an earlier version.
    await boss.updateQueue(task.name, queue);
    if (task.schedule) await boss.schedule(task.name, task.schedule);
    const polling = { pollingIntervalSeconds: 0.5, localConcurrency: task.atOnce ?? 1 };
    await boss.work(task.name, polling, async ([queued]) => {
      if (queued) await runLogged(task, queued.data ?? {}, { db, log });
    });
  }
  return () => boss.stop({ graceful: true, timeout: 10_000 });
}

/**
 * Returns the due times of waiting tasks by a value in their data.
 *
 * @param values the values to look up. A value without a waiting task is left out.
 */
export async function listDueTimes(
  db: Database,
  task: Pick<Task<object>, "name">,
  key: string,
  values: string[],
): Promise<Map<string, Date>> {
  if (values.length === 0) return new Map();
  const { rows } = await db.execute<{ value: string; due: string }>(sql`
    select data->>${key}::text as value, min(start_after) as due
    from pgboss.job
    where name = ${task.name} and state < 'active' and data->>${key}::text in ${values}
    group by 1`);
  return new Map(rows.map(({ value, due }) => [value, new Date(due)]));
}

type LastRun = {
  task: string;
  schedule: string;
  endedAt: Date | null;
  state: "completed" | "failed" | null;
};

/** Lists the last run of each scheduled task. The queue deletes runs after a week. */
export async function listLastRuns(db: Database): Promise<LastRun[]> {
  const { rows } = await db.execute<Omit<LastRun, "endedAt"> & { endedAt: string | null }>(sql`
    select schedule.name as task, schedule.cron as schedule,
      run.completed_on as "endedAt", run.state::text as state
    from pgboss.schedule
    left join lateral (
      select completed_on, state from pgboss.job
      where job.name = schedule.name and state in ('completed', 'failed')
      order by completed_on desc limit 1) run on true
    order by schedule.name`);
  return rows.map(({ endedAt, ...run }) => ({
    ...run,
    endedAt: endedAt ? new Date(endedAt) : null,
  }));
}

/** The waiting tasks of a queue, and for how many seconds the oldest has been due. */
type QueueDepth = { queue: string; waiting: number; oldestSeconds: number };

export async function queueDepths(db: Database): Promise<QueueDepth[]> {
  const { rows } = await db.execute<QueueDepth>(sql`
    select queue.name as queue,
      count(job.id)::int as waiting,
      greatest(coalesce(extract(epoch from now() - min(job.start_after)), 0), 0)::float8 as "oldestSeconds"
    from pgboss.queue
    left join pgboss.job on job.name = queue.name and job.state < 'active' and not job.blocked
    group by queue.name`);
  return rows;
}

/** Logs a failure and throws it again, since the queue retries without logging. */
async function runLogged<Data extends object>(
  task: Task<Data>,
  data: Data,
  app: { db: Database; log: Log },
): Promise<void> {
  try {
    await runTraced({ name: `task ${task.name}`, kind: "consumer" }, () => task.run(data, app));
  } catch (error) {
    logFailure(app.log, error, "task failed", { task: task.name });
    throw error;
  }
}

/**
 * Logs an unavailable database once a minute, since every queue looks for work twice a second. The queue wraps some
 * errors in its own.
 */
export function createSparingErrorLog(
  log: Pick<Log, "warn" | "error">,
): (error: QueueError) => void {
  let loggedAt = -Infinity;
  return (error) => {
    const unavailable = findUnavailable(error);
    if (!unavailable) return log.error({ err: error }, "task queue");
    if (performance.now() - loggedAt < minute) return;
    loggedAt = performance.now();
    log.warn({ why: unavailable.why }, "task queue: database unavailable");
  };
}

type QueueError = Error & { why?: string };

function findUnavailable(error: QueueError): QueueError | null {
  // The queue passes a copy without the class.
  if (error.name === "Unavailable") return error;
  return error.cause instanceof Error ? findUnavailable(error.cause) : null;
}

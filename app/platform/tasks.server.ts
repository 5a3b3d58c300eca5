import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss, systemClock } from "pg-boss";
import { minute } from "./clock.ts";
import type { Database, DatabasePool } from "./database.server.ts";
import { type Log, logFailure } from "./log.server.ts";
import { runTraced } from "./traces.server.ts";

/**
 * Work that is done behind the request: queued in the transaction that causes it, kept in the same
 * PostgreSQL, repeated until it succeeds. ("Job" means a vacancy in this product.)
 */
export type Task<Data extends object> = {
  name: string;
  /** The number of retries after a failure, and the first and longest pause in seconds. */
  retries?: number;
  retryDelay?: number;
  retryDelayMax?: number;
  /** The number that run at the same time in one process. */
  atOnce?: number;
  /** After so many seconds one that was under way when its process was killed is taken up again. */
  lostAfter?: number;
  /** A cron expression (UTC) for a scheduled task. */
  schedule?: string;
  run: (data: Data, app: { db: Database; log: Log }) => Promise<void>;
};

// The queue's client is the process's; the rows always go through the caller's transaction.
const shared = globalThis as { nakshaTasks?: PgBoss };

/** Queues a task in the given transaction: it runs when the transaction commits, and only then. */
export async function queueTask<Data extends object>(
  tx: Database,
  task: Pick<Task<Data>, "name">,
  data: Data,
): Promise<void> {
  if (!shared.nakshaTasks) throw new Error("Tasks are queued only after startTasks.");
  await shared.nakshaTasks.send(task.name, data, { db: fromDrizzle(tx, sql) });
}

/** It cannot be set: by the computer's clock, nothing would be due for as long as that was set back. */
const steadyClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

/** Seconds between two searches for lost tasks. */
const lookForLost = 15;

/**
 * Opens the queue, and works through it unless `work` is false.
 *
 * @param database of its own: what tasks wait for must not keep pages waiting.
 * @returns how to stop: waits for the tasks that are running.
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
    superviseIntervalSeconds: lookForLost,
    monitorIntervalSeconds: lookForLost,
    clock: steadyClock,
    // Checks our clock against PostgreSQL's, by which tasks are due: ours stops while a computer sleeps.
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
    // A queue that an earlier version made keeps its settings otherwise.
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
 * When tasks that wait are due, by what their data say under a key.
 *
 * @param values those that are asked about; what has no waiting task is left out
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

/** The last run of a scheduled task and its result. */
export type LastRun = {
  task: string;
  schedule: string;
  endedAt: Date | null;
  state: "completed" | "failed" | null;
};

/** Lists when each scheduled task ended last. The queue deletes runs after a week. */
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
export type QueueDepth = { queue: string; waiting: number; oldestSeconds: number };

/** Tells of each queue what waits in it. */
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

/** The queue keeps a failure to itself, and tries again. */
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

/** Every queue looks twice a second for work: while the database is away, one line a minute says so. */
function createSparingErrorLog(log: Log): (error: Error & { why?: string }) => void {
  let saidAt = -Infinity;
  return (error) => {
    // The queue hands on a copy, which is of no class.
    if (error.name !== "Unavailable") return log.error({ err: error }, "task queue");
    if (performance.now() - saidAt < minute) return;
    saidAt = performance.now();
    log.warn({ why: error.why }, "task queue: database unavailable");
  };
}

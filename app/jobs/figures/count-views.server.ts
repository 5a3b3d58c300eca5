import { isbot } from "isbot";
import { now, second, toIsoDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import { isUuid } from "../../platform/database.server.ts";
import { logFailure } from "../../platform/log.server.ts";
import { addToFigure, type DayCount } from "./figures.server.ts";

const flushEvery = 10 * second;

/** Counts views of jobs' pages in memory, so that reading a page writes nothing. */
export type ViewCounter = {
  /** Counts one view now. */
  add(jobId: string): void;
  /** Adds what was counted to the database. After a failure, the next call does it. */
  flush(): Promise<void>;
  /** Stops the timer, and flushes. */
  close(): Promise<void>;
};

/** Creates the counter of a process. It flushes every ten seconds: a killed process loses the views since then. */
export function createViewCounter({ db, log }: Pick<AppContext, "db" | "log">): ViewCounter {
  let views = new Map<string, DayCount>();

  function addTimes({ jobId, day, times }: DayCount): void {
    const key = `${day} ${jobId}`;
    views.set(key, { jobId, day, times: times + (views.get(key)?.times ?? 0) });
  }

  async function flush(): Promise<void> {
    const counts = [...views.values()];
    if (counts.length === 0) return;
    views = new Map();
    try {
      await addToFigure(db, "views", counts);
    } catch (error) {
      counts.forEach(addTimes);
      logFailure(log, error, "views not stored");
    }
  }

  const timer = setInterval(() => void flush(), flushEvery).unref();
  return {
    add: (jobId) => addTimes({ jobId, day: toIsoDay(now()), times: 1 }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Matches a job's page, and the data with which the router shows it. */
const jobPage = /^\/jobs\/([^/.]+)(?:\.data)?$/;

/** Returns the id of the job whose page is at a path, or null. */
export function findViewedJob(path: string): string | null {
  const id = jobPage.exec(path)?.[1]?.toLowerCase();
  return id !== undefined && isUuid(id) ? id : null;
}

/** Checks for a browser of a person. Programs say what they are, or nothing. */
export function isPersonsBrowser(userAgent: string | undefined): boolean {
  return userAgent !== undefined && userAgent !== "" && !isbot(userAgent);
}

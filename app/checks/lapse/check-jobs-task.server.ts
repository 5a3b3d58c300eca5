import type { Config } from "../../platform/config.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { archiveLapsedJobs } from "./archive-lapsed.server.ts";
import { sendFirstChecksMail, sendOwnerWarnings } from "./send-warnings.server.tsx";

/**
 * Creates the task that archives lapsed listings, and emails owners and admins about unchecked ones. It only tidies
 * up: a lapsed listing is closed without it, and each run continues with whatever is left.
 */
export function createCheckJobsTask(config: Config): Task<object> {
  return {
    name: "check-jobs",
    schedule: "*/5 * * * *",
    async run(_data, { db, log }) {
      await archiveLapsedJobs(db);
      await sendOwnerWarnings({ db, log }, config);
      await sendFirstChecksMail(db, config);
    },
  };
}

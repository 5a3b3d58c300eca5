import type { Config } from "../../platform/config.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { sendDueQuestions } from "../question/ask-contacts.server.ts";
import { archiveLapsedJobs } from "./archive-lapsed.server.ts";
import { sendOwnerWarnings } from "./send-warnings.server.tsx";

/**
 * Creates the task that archives lapsed listings, emails owners about unchecked ones, and asks contacts
 * whose check is due. A lapsed listing is closed without it. Each run continues with whatever is left.
 */
export function createCheckJobsTask(config: Config): Task<object> {
  return {
    name: "check-jobs",
    schedule: "*/5 * * * *",
    async run(_data, { db, log }) {
      await archiveLapsedJobs(db);
      await sendOwnerWarnings({ db, log }, config);
      await sendDueQuestions(db, config);
    },
  };
}

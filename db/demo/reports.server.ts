import { eq } from "drizzle-orm";
import { listNetworkHashes } from "../../app/checks/report/networks.server.ts";
import { jobReports } from "../../app/checks/tables.server.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { hour } from "../../app/platform/clock.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import type { DemoIds } from "./reviews.server.ts";

/** The title of the demo listing with an open report. */
const reportedTitle = "Lead Designer, Mobility";

/** Loads a customer's report on one listing. */
export async function loadDemoReports(
  tx: Database,
  config: Pick<Config, "secrets">,
  ids: DemoIds,
  moment: Date,
): Promise<void> {
  const [job] = await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.title, reportedTitle));
  const createdAt = new Date(moment.getTime() - 5 * hour);
  await tx.insert(jobReports).values({
    jobId: job!.id,
    reporterId: ids.get("asha")!,
    network: listNetworkHashes(config, job!.id, "192.0.2.17")[0],
    reason: "closed",
    text: "I wrote to the contact, and got the answer that they hired someone last week.",
    createdAt,
    confirmedAt: createdAt,
  });
}

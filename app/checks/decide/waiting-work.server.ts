import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countReportedJobs } from "./list-reports.server.ts";

export const reportedListings: WaitingWork = {
  name: "reports",
  one: "listing was reported",
  several: "listings were reported",
  action: "Read the reports",
  to: "/admin/jobs/reports",
  count: async (db, actor) => ({ counted: await countReportedJobs(db, actor), isMore: false }),
};

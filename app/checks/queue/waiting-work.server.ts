import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countDueChecks } from "../../jobs/due-checks.server.ts";

export const listingsToCheck: WaitingWork = {
  name: "checks",
  one: "listing needs a check",
  several: "listings need a check",
  action: "Check listings",
  to: "/admin/jobs/checks",
  count: (db, actor) => countDueChecks(db, actor, "all"),
};

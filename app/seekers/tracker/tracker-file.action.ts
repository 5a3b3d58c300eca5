import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { now, toIsoDay } from "../../platform/clock.ts";
import type { Route } from "./+types/tracker-file.action.ts";
import { listAllTrackedJobs } from "./tracked-jobs.server.ts";
import { formatTrackerFile } from "./tracker-file.server.ts";

export const middleware = [requireSignIn];

/** Returns the person's own list of jobs as a file for spreadsheets. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const rows = await listAllTrackedJobs(db, getSignedInActor(context));
  return new Response(formatTrackerFile(rows, config.origin), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="jobs-${toIsoDay(now())}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Route } from "./+types/next-step-file.action.ts";
import { formatNextStepFile } from "./next-step-file.server.ts";
import { trackerMessages } from "./rules.ts";
import { findTrackedJob } from "./tracked-jobs.server.ts";

export const middleware = [requireSignIn];

/** Returns the next step of one of the person's own jobs as a file for calendars. */
export async function loader({ params: { trackedId }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const tracked = await findTrackedJob(db, getSignedInActor(context), trackedId);
  if (!tracked) throw new NotFound(trackerMessages.gone);
  const file = formatNextStepFile(tracked.job, config);
  if (file === null) throw new NotFound(trackerMessages.noStep);
  return new Response(file, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'attachment; filename="next-step.ics"',
      "Cache-Control": "private, no-store",
    },
  });
}

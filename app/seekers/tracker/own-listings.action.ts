import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Route } from "./+types/own-listings.action.ts";
import { trackerLabels } from "./rules.ts";
import { listTrackedListings } from "./tracked-jobs.server.ts";

export const middleware = [requireSignIn];

/** Returns the labels of the listings in the person's list, by their ids, for the shared pages of the board. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const jobId = url.searchParams.get("job") || null;
  const rows = await listTrackedListings(db, getSignedInActor(context), jobId);
  const labels = rows.map(({ jobId: id, state }) => [id, trackerLabels[state].label]);
  return Response.json(Object.fromEntries(labels), {
    headers: { "Cache-Control": "private, no-store" },
  });
}

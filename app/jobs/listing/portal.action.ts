import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { applyMethod } from "../contact/apply-methods.ts";
import { countPress } from "../figures/figures.server.ts";
import type { Route } from "./+types/portal.action.ts";
import { findJob } from "./find-job.server.ts";

export const middleware = [requireSignIn];

/** Leads to a job's portal, and counts the press for its company. A prefetch never gets here. */
export async function loader({ request, params: { jobId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const listing = await findJob(db, getSignedInActor(context), jobId);
  const portal = listing.state === "open" ? applyMethod("portal", listing.contacts) : null;
  if (portal?.kind !== "page") throw new NotFound("Job Not Found");
  if (request.method === "GET") await countPress(db, jobId, "portal");
  return new Response(null, {
    status: 302,
    headers: { Location: portal.url, "Cache-Control": "private, no-store" },
  });
}

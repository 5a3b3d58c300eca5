import { truncateToUnits } from "../../platform/text/cut-text.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { cleanLine } from "../../platform/text/text.ts";
import type { Route } from "./+types/target-jobs.action.ts";
import { listJobNames } from "./brief.server.ts";
import { briefLimits } from "../brief.ts";

export const middleware = [requireSignIn];

/** Lists open jobs that match the typed letters. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const search = truncateToUnits(cleanLine(url.searchParams.get("search") ?? ""), briefLimits.role);
  const names = await listJobNames(context.get(appContext).db, search);
  return Response.json(names, { headers: { "cache-control": "private, no-store" } });
}

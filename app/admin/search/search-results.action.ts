import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { parseSearch } from "../../ui/list/search.ts";
import type { Route } from "./+types/search-results.action.ts";
import { listFoundItems } from "./list-results.server.ts";

/** Returns the results of a search as JSON, for the search dialog. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const groups = await listFoundItems(
    context.get(appContext).db,
    context.get(currentActor),
    parseSearch(url.searchParams),
  );
  return Response.json(groups, { headers: { "cache-control": "private, no-store" } });
}

import { redirect } from "../../platform/redirect.server.ts";
import { currentActor } from "../actor.server.ts";
import type { Route } from "./+types/session-state.action.ts";

/** Returns whether this browser's session is still valid, for screens that have been open for a while. */
export function loader({ request, context }: Route.LoaderArgs) {
  const isOpenedByHand = request.headers.get("accept")?.includes("text/html");
  if (isOpenedByHand) return redirect("/profile");
  return Response.json({ signedIn: context.get(currentActor) !== null });
}

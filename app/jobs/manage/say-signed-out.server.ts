import type { MiddlewareFunction } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { toast } from "../../platform/toasts.server.ts";
import { messages } from "./rules.ts";

/** Stands before a guard: tells who sends a listing without a session why they have to sign in. */
export const saySignedOut: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (request.method === "POST" && !context.get(currentActor) && (await isListing(request))) {
    toast(context, { kind: "error", title: messages.signedOut });
  }
  return next();
};

async function isListing(request: Request): Promise<boolean> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) return false;
  const intent = new URLSearchParams(await request.clone().text()).get("intent");
  return intent === "create-job" || intent === "update-job";
}

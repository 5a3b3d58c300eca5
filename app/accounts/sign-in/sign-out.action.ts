import { redirect } from "react-router";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { toast } from "../../platform/toasts.server.ts";
import type { Route } from "./+types/sign-out.action.ts";
import { endedSessionCookie, endSession, sessionToken } from "../session.server.ts";

/** Ends this session. Leads to the sign-in screen in any case, also when there was none to end. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, config, log } = context.get(appContext);
  const { setCookies, id } = context.get(requestFacts);
  const token = sessionToken(config, request.headers.get("cookie"));
  setCookies.push(endedSessionCookie(config));
  try {
    if (token) await endSession(db, token);
    toast(context, { kind: "success", title: "Successfully signed out!" });
  } catch (error) {
    log.error({ err: error, request: id }, "sign-out");
    toast(context, { kind: "error", title: "There was a problem signing out." });
  }
  return redirect("/login");
}

/** A link cannot sign anybody out. */
export function loader() {
  return redirect("/");
}

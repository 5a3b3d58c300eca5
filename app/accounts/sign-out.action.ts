import { eq } from "drizzle-orm";
import { redirect } from "react-router";
import { machine, requestFacts } from "../platform/machine.server.ts";
import { toast } from "../platform/toasts.server.ts";
import type { Route } from "./+types/sign-out.action.ts";
import { currentActor } from "./actor.server.ts";
import { sessionCookie } from "./session-cookie.server.ts";
import { sessions } from "./tables.server.ts";

/** Ends this session. Leads to the sign-in screen in any case, also when there was none to end. */
export async function action({ context }: Route.ActionArgs) {
  const { db, config, log } = context.get(machine);
  const actor = context.get(currentActor);
  const { setCookies, id } = context.get(requestFacts);
  const { name, secure } = sessionCookie(config);
  setCookies.push(`${name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure ? "; Secure" : ""}`);
  try {
    if (actor) await db.delete(sessions).where(eq(sessions.id, actor.sessionId));
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

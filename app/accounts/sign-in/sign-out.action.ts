import { z } from "zod";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { createFormAction } from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { buildExpiredSessionCookie, revokeSession, readSessionToken } from "../session.server.ts";

/** Ends this session and goes to the sign-in screen, even if there was no session. */
export const action = createFormAction({
  schema: z.object({}),
  async run({ request, context }) {
    const { db, config } = context.get(appContext);
    const token = readSessionToken(config, request.headers.get("cookie"));
    context.get(requestFacts).setCookies.push(buildExpiredSessionCookie(config));
    if (token) await revokeSession(db, token);
  },
  done: () => ({
    toast: { kind: "success", title: "Successfully signed out!" },
    data: redirect("/login"),
  }),
  failed: () => ({
    toast: { kind: "error", title: "There was a problem signing out." },
    data: redirect("/login"),
  }),
});

/** Opening the URL doesn't sign anyone out. */
export function loader() {
  return redirect("/");
}

import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { applyMethod } from "../../jobs/contact/apply-methods.ts";
import { limitContactViews } from "../../jobs/contact/view-limit.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Route } from "./+types/mail-link.action.ts";
import { findFirstMessage } from "./first-message.server.ts";
import { buildMailLink } from "./rules.ts";

export const middleware = [requireSignIn, limitContactViews];

/** Returns the link with the person's own message, for the shared page of a job; null if it opens no email. */
export async function loader({ params: { jobId }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const isHidden = context.get(requestFacts).hidesContact;
  const own = await findFirstMessage(db, config, getSignedInActor(context), jobId);
  if (!own) throw new NotFound("Job Not Found");
  const method = applyMethod("poc", own.contacts);
  const link = method.kind === "mail" && !isHidden ? buildMailLink(method.url, own.message) : null;
  return Response.json(link, { headers: { "Cache-Control": "private, no-store" } });
}

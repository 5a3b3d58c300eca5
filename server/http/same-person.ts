import type { MiddlewareHandler } from "hono";
import { personHeader } from "../../app/ui/expected-user.ts";
import type { Env } from "./request.ts";

const title = "You're logged in as someone else";
const description = "Another account logged in with this browser. Reload the page to continue.";

/**
 * Refuses requests from a page that was rendered for someone else. Logging in in one tab affects all tabs of a
 * browser, and an open page must not act for the new person. If the session has ended, the request continues and
 * leads to the login page.
 */
export function requireSamePerson(): MiddlewareHandler<Env> {
  return async (context, next) => {
    const expectedUserId = context.req.header(personHeader);
    const actor = context.get("actor");
    if (!expectedUserId || !actor || expectedUserId === actor.id) return next();
    // Contains the fields that screens, background forms and uploads each read.
    const body = { title, description, message: `${title}. ${description}` };
    return context.json(body, 409, { [personHeader]: actor.id });
  };
}

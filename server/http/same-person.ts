import type { MiddlewareHandler } from "hono";
import { personHeader } from "../../app/ui/expected-user.ts";
import type { Env } from "./request.ts";

const title = "Somebody else is signed in now";
const description =
  "Another account was signed in to in this browser. Load the page again to go on.";

/**
 * Refuses requests from a page that was rendered for someone else. Signing in in one tab signs in all tabs of a
 * browser, and an open page must not act for the new person. A person whose session has ended goes to the
 * sign-in.
 */
export function requireSamePerson(): MiddlewareHandler<Env> {
  return async (context, next) => {
    const shown = context.req.header(personHeader);
    const actor = context.get("actor");
    if (!shown || !actor || shown === actor.id) return next();
    // In the words of each that sends something: screens, forms in the background, uploads.
    const answer = { title, description, message: `${title}. ${description}` };
    return context.json(answer, 409, { [personHeader]: actor.id });
  };
}

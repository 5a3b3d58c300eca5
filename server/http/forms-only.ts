import type { Context, MiddlewareHandler } from "hono";
import { readAndDropBody, readWholeBody } from "../../app/platform/request-body.server.ts";

/** A form without files is never longer, in bytes. */
const longestForm = 1024 * 1024;
const read = new Set(["GET", "HEAD"]);
const formType = /^application\/x-www-form-urlencoded\b/i;

/**
 * Screens read pages and take plain forms of a sensible length; anything else gets a clear refusal.
 *
 * @param isScreen tells whether there is one at a path
 */
export function acceptOnlyForms(isScreen: (path: string) => boolean): MiddlewareHandler {
  const limited = readWholeBody(longestForm, respondTooLong);
  return async (context, next) => {
    const { method } = context.req;
    if (read.has(method)) return next();
    const isForm = formType.test(context.req.header("content-type") ?? "");
    // A form sent to an unknown address is answered by the not-found screen.
    if (!isScreen(context.req.path) && !(method === "POST" && isForm)) {
      await readAndDropBody(context.req.raw);
      return context.text("Not found", 404);
    }
    if (method !== "POST")
      return context.text("Method not allowed", 405, { Allow: "GET, HEAD, POST" });
    if (!isForm) {
      await readAndDropBody(context.req.raw);
      return context.text("Only plain forms are taken here.", 415);
    }
    return limited(context, next);
  };
}

function respondTooLong(context: Context): Response {
  return context.text("That is too long to send.", 413);
}

import type { Context, MiddlewareHandler } from "hono";
import { readAndDropBody, readWholeBody } from "../../app/platform/request-body.server.ts";

/** The maximum size in bytes of a form without files. */
const maxFormSize = 1024 * 1024;
const readMethods = new Set(["GET", "HEAD"]);
const formType = /^application\/x-www-form-urlencoded\b/i;

/**
 * Lets only page reads and plain forms of a limited size reach screens.
 *
 * @param isScreen checks whether a path has a screen
 */
export function acceptOnlyForms(isScreen: (path: string) => boolean): MiddlewareHandler {
  const limited = readWholeBody(maxFormSize, respondTooLong);
  return async (context, next) => {
    const { method } = context.req;
    if (readMethods.has(method)) return next();
    const isForm = formType.test(context.req.header("content-type") ?? "");
    // The not-found screen handles forms that were sent to an unknown address.
    if (!isScreen(context.req.path) && !(method === "POST" && isForm)) {
      await readAndDropBody(context.req.raw);
      return context.text("Not found", 404);
    }
    if (method !== "POST")
      return context.text("Method not allowed", 405, { Allow: "GET, HEAD, POST" });
    if (!isForm) {
      await readAndDropBody(context.req.raw);
      return context.text("Only plain forms are accepted here.", 415);
    }
    return limited(context, next);
  };
}

function respondTooLong(context: Context): Response {
  return context.text("This form is too large.", 413);
}

import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { resumeCheckPage } from "../../app/review-customer/resume-check/pages.ts";
import { readAndDropBody, readWholeBody } from "../../app/platform/request-body.server.ts";
import { toStreamingRequest } from "../../app/files/receive/request-bytes.server.ts";

/** The maximum size in bytes of a form without files. */
const maxFormSize = 1024 * 1024;
const readMethods = new Set(["GET", "HEAD"]);
const formType = /^application\/x-www-form-urlencoded\b/i;
const fileFormType = /^multipart\/form-data\b/i;
type Incoming = { incoming: IncomingMessage };

/** The screens that read a file from their form, and limit its size themselves. The router ignores case too. */
const fileForm = new RegExp(
  `^(${resumeCheckPage.path}|/post/company/[^/]+/page)/?(\\.data)?$`,
  "i",
);

/**
 * Lets only page reads, plain forms of a limited size, and the form with a file of one screen reach screens.
 *
 * @param isScreen checks whether a path has a screen
 */
export function acceptOnlyForms(isScreen: (path: string) => boolean): MiddlewareHandler {
  const limited = readWholeBody(maxFormSize, respondTooLong);
  return async (context, next) => {
    const { method } = context.req;
    if (readMethods.has(method)) return next();
    const type = context.req.header("content-type") ?? "";
    const isForm = formType.test(type);
    // The not-found screen handles forms that were sent to an unknown address.
    if (!isScreen(context.req.path) && !(method === "POST" && isForm)) {
      await readAndDropBody(context.req.raw);
      return context.text("Not found", 404);
    }
    if (method !== "POST")
      return context.text("Method not allowed", 405, { Allow: "GET, HEAD, POST" });
    if (fileForm.test(context.req.path) && fileFormType.test(type)) {
      context.req.raw = toStreamingRequest(context.req.raw, (context.env as Incoming).incoming);
      return next();
    }
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

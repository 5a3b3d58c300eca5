import type { Context, MiddlewareHandler } from "hono";
import { interruptedFormCookie } from "../../app/accounts/interrupted-forms.server.ts";
import { findViewedJob } from "../../app/jobs/figures/count-views.server.ts";
import { readCookie, type Site } from "../../app/platform/cookies.ts";
import { toastCookie } from "../../app/platform/toasts.server.ts";
import type { Env } from "./request.ts";

/** Cookies for content that is shown once and that the next response consumes. */
const carriers = [toastCookie, interruptedFormCookie];

/** About as long as a pointer hovers over a link before a click. */
const hoverSeconds = 10;

/** Checks whether the next page shows one-time content to this browser. */
export function hasOneTimeContent(context: Context, site: Site): boolean {
  const cookies = context.req.header("cookie");
  return carriers.some((cookie) => readCookie(cookie, cookies, site) !== null);
}

/**
 * Handles prefetches. Hovering over a link must not consume one-time content or show an outdated page later.
 * Visitors without such content get a response that is cached briefly. Everyone else, and a prefetch of a job, whose
 * views are counted, gets an empty response, so that the browser requests the page again.
 */
export function handlePrefetches(site: Site): MiddlewareHandler<Env> {
  return async (context, next) => {
    if (!isPrefetch(context)) return next();
    if (
      context.get("actor") ||
      hasOneTimeContent(context, site) ||
      findViewedJob(context.req.path) !== null
    )
      return context.body(null, 204, { "Cache-Control": "no-store", Vary: "Cookie" });
    await next();
    const { status, headers } = context.res;
    if (status === 200 && !headers.has("set-cookie"))
      headers.set("Cache-Control", `private, max-age=${hoverSeconds}`);
    return undefined;
  };
}

/** Checks whether a request is a prefetch. */
export function isPrefetch({ req }: Context): boolean {
  const purposes = [req.header("sec-purpose"), req.header("purpose"), req.header("x-moz")];
  return purposes.some((purpose) => purpose?.includes("prefetch"));
}

import type { Context, MiddlewareHandler } from "hono";
import { interruptedFormCookie } from "../../app/accounts/interrupted-forms.server.ts";
import { readCookie, type Site } from "../../app/platform/cookies.ts";
import { toastCookie } from "../../app/platform/toasts.server.ts";
import type { Env } from "./request.ts";

/** Cookies for content that is shown once: the next answer consumes it, and belongs to this person only. */
const carriers = [toastCookie, interruptedFormCookie];

/** Cached about as long as a pointer rests on a link before it is clicked. */
const restingSeconds = 10;

/** Checks whether the next page shows one-time content to this browser. */
export function hasOneTimeContent(context: Context, site: Site): boolean {
  const cookies = context.req.header("cookie");
  return carriers.some((cookie) => readCookie(cookie, cookies, site) !== null);
}

/**
 * Handles prefetches. Pointing at a link must not consume one-time content, nor show an outdated page later.
 * Only visitors without such content get an answer, cached for a moment. Others get an empty one, and the visit
 * asks again.
 */
export function handlePrefetches(site: Site): MiddlewareHandler<Env> {
  return async (context, next) => {
    if (!isPrefetch(context)) return next();
    if (context.get("actor") || hasOneTimeContent(context, site))
      return context.body(null, 204, { "Cache-Control": "no-store", Vary: "Cookie" });
    await next();
    const { status, headers } = context.res;
    if (status === 200 && !headers.has("set-cookie"))
      headers.set("Cache-Control", `private, max-age=${restingSeconds}`);
    return undefined;
  };
}

/** Checks whether a browser prefetches. */
export function isPrefetch({ req }: Context): boolean {
  const purposes = [req.header("sec-purpose"), req.header("purpose"), req.header("x-moz")];
  return purposes.some((purpose) => purpose?.includes("prefetch"));
}

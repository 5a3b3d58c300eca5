import type { Context, MiddlewareHandler } from "hono";
import { interruptedFormCookie } from "../../app/accounts/interrupted-forms.server.ts";
import { readCookie, type Site } from "../../app/platform/cookies.ts";
import { toastCookie } from "../../app/platform/toasts.server.ts";
import type { Env } from "./request.ts";

/** Cookies that name what a page shows once: the next answer takes it, and is nobody else's. */
const carriers = [toastCookie, interruptedFormCookie];

/** Cached about as long as a pointer rests on a link before it is clicked. */
const restingSeconds = 10;

/** Whether the next page shows something to this browser that is shown once. */
export function hasOneTimeContent(context: Context, site: Site): boolean {
  const cookies = context.req.header("cookie");
  return carriers.some((cookie) => readCookie(cookie, cookies, site) !== null);
}

/**
 * What a browser loads before anybody goes there. A person who only pointed at a link must not lose
 * what is shown once, nor see later what was true before they changed it; so only visitors for whom
 * nothing waits get an answer that is cached for a moment. For others it is empty, and the visit asks
 * again.
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

/** Whether a browser asks before anybody goes there. */
export function isPrefetch({ req }: Context): boolean {
  const purposes = [req.header("sec-purpose"), req.header("purpose"), req.header("x-moz")];
  return purposes.some((purpose) => purpose?.includes("prefetch"));
}

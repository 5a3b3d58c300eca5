import type { MiddlewareHandler } from "hono";
import type { Env } from "./request.ts";

/** The default wait in seconds, for too many concurrent uploads or an unavailable database. */
const defaultSeconds = new Map([
  [429, 60],
  [503, 10],
]);

/** Sets the Retry-After header, so that programs know when to retry. */
export function retryAfter(): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { status, headers } = context.res;
    const seconds = defaultSeconds.get(status);
    if (seconds === undefined || headers.has("retry-after")) return;
    headers.set("Retry-After", String(context.get("facts").retryAfterSeconds ?? seconds));
  };
}

import type { MiddlewareHandler } from "hono";
import type { Env } from "./request.ts";

/** The wait in seconds where none was counted: too many concurrent uploads, or no database. */
const aWhile = new Map([
  [429, 60],
  [503, 10],
]);

/** Tells programs what the message tells people: in how many seconds they may try again. */
export function retryAfter(): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { status, headers } = context.res;
    const seconds = aWhile.get(status);
    if (seconds === undefined || headers.has("retry-after")) return;
    headers.set("Retry-After", String(context.get("facts").retryAfterSeconds ?? seconds));
  };
}

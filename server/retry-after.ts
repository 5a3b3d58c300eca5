import type { MiddlewareHandler } from "hono";
import type { Env } from "./request.ts";

/** Where nobody counted how long a refusal lasts, such as that of too many uploads at once. */
const aWhile = 60;

/** Tells programs what the message tells people: in how many seconds they may try again. */
export function retryAfter(): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { status, headers } = context.res;
    if (status !== 429 || headers.has("retry-after")) return;
    headers.set("Retry-After", String(context.get("facts").retryAfterSeconds ?? aWhile));
  };
}

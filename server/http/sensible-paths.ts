import type { MiddlewareHandler } from "hono";
import type { Config } from "../../app/platform/config.server.ts";
import { getBareHeaders } from "./security.ts";

/** More than any of our paths has. */
const maxParts = 20;

/** Checks the number of parts, because matching a path with 2,000 parts takes the router a second. */
export function isSensible(path: string): boolean {
  let parts = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) parts += 1;
  return parts <= maxParts;
}

/** Responds with 404 to other paths before routing. */
export function rejectSenselessPaths(config: Config): MiddlewareHandler {
  const headers = getBareHeaders(config);
  return async (context, next) =>
    isSensible(context.req.path) ? next() : context.text("Not found", 404, headers);
}

import type { MiddlewareHandler } from "hono";
import type { Config } from "../../app/platform/config.server.ts";
import { getBareHeaders } from "./security.ts";

/** More than any address of ours has. */
const mostParts = 20;

/** Checks whether a path is plausible: matching one with two thousand parts takes the router a second. */
export function isSensible(path: string): boolean {
  let parts = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) parts += 1;
  return parts <= mostParts;
}

/** Answers that there is nothing at any other path, before a route is looked for. */
export function rejectSenselessPaths(config: Config): MiddlewareHandler {
  const headers = getBareHeaders(config);
  return async (context, next) =>
    isSensible(context.req.path) ? next() : context.text("Not found", 404, headers);
}

import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Log } from "../../app/platform/log.server.ts";
import { requestSeconds } from "../../app/platform/metrics.server.ts";
import { runTraced } from "../../app/platform/traces.server.ts";
import { healthRoutes } from "./health.ts";
import type { Env } from "./request.ts";
import { staticRoute } from "./static-files.ts";

/** Static files and health checks are logged only at debug, because they are too frequent. */
const quiet = new Set([staticRoute, ...healthRoutes]);

/**
 * Logs, measures and traces each request after its response, by its route pattern: URLs can contain private data
 * and are too many for metrics.
 *
 * @param screenAt returns the pattern of the screen at a path, or null
 */
export function logRequests(
  log: Log,
  screenAt: (path: string) => string | null,
): MiddlewareHandler<Env> {
  return (context, next) =>
    runTraced({ name: context.req.method, kind: "server" }, async (note) => {
      const startedAt = performance.now();
      await next();
      const ms = performance.now() - startedAt;
      const route = getRoutePattern(context, screenAt);
      const { method } = context.req;
      const { status } = context.res;
      note({
        name: `${method} ${route}`,
        facts: {
          "http.request.method": method,
          "http.route": route,
          "http.response.status_code": status,
          "naksha.request": context.get("facts")?.id,
        },
        failed: status >= 500,
        isQuiet: quiet.has(route),
      });
      requestSeconds.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / 1000);
      log[quiet.has(route) ? "debug" : "info"]({
        request: context.get("facts")?.id,
        method,
        route,
        status,
        ms: Math.round(ms),
      });
    });
}

/** Returns the pattern of the route that responded, such as `/uploads/:id`; `none` for an unknown path. */
export function getRoutePattern(
  context: Context<Env>,
  screenAt: (path: string) => string | null,
): string {
  const pattern = context.get("route") ?? routePath(context);
  // Middleware in front of the screens matches any path.
  return /^\/?\*$/.test(pattern) ? (screenAt(context.req.path) ?? "none") : pattern;
}

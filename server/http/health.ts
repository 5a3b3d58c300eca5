import { Hono } from "hono";
import type { Config } from "../../app/platform/config.server.ts";
import type { Env } from "./request.ts";
import { getBareHeaders } from "./security.ts";

/** `isDraining` is true once this process is about to end. */
type Readiness = { isDraining: boolean };

/** The route patterns of health checks. */
export const healthRoutes = new Set(["/livez", "/healthz", "/readyz"]);

/**
 * Serves the health checks under any host name: `/livez` (also `/healthz`) for a live process, `/readyz` for
 * one that accepts requests. A failing database, store, mail server or PayU does not make a process unready:
 * otherwise a proxy would remove all processes, and people would not even get an error page.
 */
export function createHealthRoutes(config: Config, readiness: Readiness): Hono<Env> {
  const headers = { ...getBareHeaders(config), "Cache-Control": "no-store" };
  const routes = new Hono<Env>();
  for (const path of ["/livez", "/healthz"])
    routes.get(path, (context) => context.text("ok", 200, headers));
  routes.get("/readyz", (context) =>
    readiness.isDraining
      ? context.text("draining", 503, headers)
      : context.text("ready", 200, headers),
  );
  // A worker process has only these routes, so it needs its own not-found response.
  routes.notFound((context) => context.text("Not found", 404, headers));
  return routes;
}

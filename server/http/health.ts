import { Hono } from "hono";
import type { Config } from "../../app/platform/config.server.ts";
import type { Env } from "./request.ts";
import { getBareHeaders } from "./security.ts";

/** Whether this process wants requests; set once it is about to end. */
export type Readiness = { isDraining: boolean };

/** By which pattern of a route a check of health is known. */
export const healthRoutes = new Set(["/livez", "/healthz", "/readyz"]);

/**
 * What a proxy asks, by whatever name it knows this machine: `/livez` whether the process lives (also
 * `/healthz`), `/readyz` whether it wants requests. A failing database, store, mail server or PayU makes
 * no process unready: all of them would leave the proxy at once, and nobody would get so much as a page
 * that says so.
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
  // A process that answers nothing else has no other place to say so.
  routes.notFound((context) => context.text("Not found", 404, headers));
  return routes;
}

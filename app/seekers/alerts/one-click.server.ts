import { type Context, Hono } from "hono";
import type { AppContext } from "../../platform/app-context.server.ts";
import { readWholeBody } from "../../platform/request-body.server.ts";
import { stopAlerts } from "./stop-alerts.server.ts";

/** In bytes. The body is one short field. */
const maxBodyBytes = 16 * 1024;

/**
 * Answers the posts of mail programs whose user pressed "Unsubscribe" (RFC 8058). They come without a session and from
 * any site, so they are answered before the origin check. The link's signature is the proof. Other posts to this
 * address are the buttons of its page.
 */
export function createOneClickRoutes({ config, db }: Pick<AppContext, "config" | "db">): Hono {
  const routes = new Hono();
  const limitBody = readWholeBody(maxBodyBytes, (c) => respondInText(c, "Too long.", 413));
  routes.post("/alerts/stop/:token", limitBody, async (c, next) => {
    if (!(await isOneClick(c.req.raw))) return next();
    const isStopped = await stopAlerts(db, config, c.req.param("token"));
    return isStopped
      ? respondInText(c, "You won't get these emails any more.", 200)
      : respondInText(c, "This link isn't complete.", 404);
  });
  return routes;
}

/** Reads a copy of the body, since the page's action reads it too. */
async function isOneClick(request: Request): Promise<boolean> {
  const form = await request
    .clone()
    .formData()
    .catch(() => null);
  return form?.get("List-Unsubscribe") === "One-Click";
}

function respondInText(c: Context, text: string, status: 200 | 404 | 413): Response {
  return c.text(text, status, { "Cache-Control": "no-store" });
}

import { type Context, Hono } from "hono";
import type { Actor } from "../../accounts/actor.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { findOwnLogo, findPublicLogo } from "./logos.server.ts";

const address = "/companies/:slug/logo/:hash";

/** Serves the published logo of a company. For others the next handler answers. It never changes at its address. */
export function createLogoRoutes(db: Database): Hono {
  const routes = new Hono();
  routes.get(address, async (context, next) => {
    const logo = await findPublicLogo(db, context.req.param());
    return logo ? sendLogo(context, logo, "public, max-age=31536000, immutable") : next();
  });
  return routes;
}

type Env = { Variables: { actor: Actor | null } };

/** Serves the logos of a company that nobody has published, to its members and admins. */
export function createOwnLogoRoutes(db: Database): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get(address, async (context, next) => {
    const actor = context.get("actor");
    const logo = actor && (await findOwnLogo(db, actor, context.req.param()));
    return logo ? sendLogo(context, logo, "private, no-store") : next();
  });
  return routes;
}

function sendLogo(context: Context, logo: Buffer, caching: string): Response {
  return context.body(new Uint8Array(logo), 200, {
    "Cache-Control": caching,
    "Content-Type": "image/webp",
    "Content-Length": String(logo.length),
  });
}

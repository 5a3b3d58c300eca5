import { type Context, Hono } from "hono";
import type { FileStore } from "../../files/store.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { sharedPicturePath } from "./copy-pages.server.ts";
import { sharedHeaders, shareIdOf } from "./shares.server.ts";

/**
 * Answers `/shared/<token>/<page>-<band>-<width>.webp` to whoever has the link, as long as it is open. Nothing is
 * kept on the way, so that a link that is ended shows nothing any more.
 */
export function sharedPictureRoutes(db: Database, store: FileStore): Hono {
  const routes = new Hono();
  routes.on(["GET", "HEAD"], "/:token/:name", async (context: Context, next) => {
    const { token, name } = context.req.param() as { token: string; name: string };
    if (!/^\d{1,3}-\d{1,2}-(?:large|small)\.webp$/.test(name)) return next();
    const shareId = await shareIdOf(db, token);
    const found = shareId && (await store.open("derived", sharedPicturePath(shareId, name)));
    if (!found) return next();
    const { stream, size } = found;
    const headers = {
      ...sharedHeaders,
      "Referrer-Policy": "no-referrer",
      "Content-Type": "image/webp",
      "Content-Length": String(size),
    };
    if (context.req.method !== "HEAD") return context.body(stream, 200, headers);
    await stream.cancel();
    return context.body(null, 200, headers);
  });
  return routes;
}

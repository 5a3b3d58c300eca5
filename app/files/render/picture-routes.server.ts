import { type Context, Hono } from "hono";
import { isUuid } from "../../platform/database.server.ts";
import type { FileStore } from "../store.server.ts";
import { picturePath } from "./pictures.server.ts";
import { type PictureWidth, rendererVersion } from "./rendering.ts";

type Env<Actor> = { Variables: { actor: Actor | null } };

/** What is made of a stored file never changes, and is nobody else's to keep. */
const cacheControl = "private, max-age=31536000, immutable";

/**
 * Answers `/pictures/<file>/<renderer>/<page>-<band>-<width>.webp` to those who may read the file itself. To
 * anybody else it is not found, as if there were none: whatever comes next answers.
 */
export function pictureRoutes<Actor>(
  store: FileStore,
  mayRead: (actor: Actor, fileId: string) => Promise<boolean>,
): Hono<Env<Actor>> {
  const routes = new Hono<Env<Actor>>();
  routes.on(["GET", "HEAD"], "/:file/:renderer/:name", async (context: Context, next) => {
    const actor = context.get("actor") as Actor | null;
    const { file, renderer, name } = context.req.param() as Record<string, string>;
    const place = readName(name!);
    if (!actor || !place || !isUuid(file) || renderer !== String(rendererVersion)) return next();
    if (!(await mayRead(actor, file))) return next();
    const tag = `"${rendererVersion}-${file}-${name}"`;
    const headers = { "Cache-Control": cacheControl, ETag: tag };
    if (context.req.header("If-None-Match")?.includes(tag)) return context.body(null, 304, headers);
    const found = await store.open("derived", picturePath({ fileId: file, ...place }));
    if (!found) return next();
    const { stream, size } = found;
    const typed = { ...headers, "Content-Type": "image/webp", "Content-Length": String(size) };
    if (context.req.method !== "HEAD") return context.body(stream, 200, typed);
    await stream.cancel();
    return context.body(null, 200, typed);
  });
  return routes;
}

function readName(name: string) {
  const [, page, band, width] = /^(\d{1,4})-(\d{1,2})-(large|small)\.webp$/.exec(name) ?? [];
  if (!width) return null;
  return { page: Number(page), band: Number(band), width: width as PictureWidth };
}

import { type Context, Hono } from "hono";
import { isUuid } from "../../platform/database.server.ts";
import type { FileStore } from "../store.server.ts";
import { sweepStore } from "../sweep-store.server.ts";
import { type Picture, getPictureName, type PictureWidth, rendererVersion } from "./rendering.ts";

const top = "pages";

/** Returns the path of a picture in the store's area "derived". */
export function getPicturePath(picture: Picture): string {
  return `${top}/${picture.fileId}/${rendererVersion}/${getPictureName(picture)}`;
}

/** Converts the address of a picture to its path in the store's area "derived". */
export function toPicturePath(address: string): string {
  return address.replace("/pictures", top);
}

/** Deletes all pictures of a file. @returns the number of deleted pictures */
export async function deletePictures(store: FileStore, fileId: string): Promise<number> {
  let deleted = 0;
  for await (const { path } of store.list("derived", `${top}/${fileId}`))
    if (await store.delete("derived", path)) deleted++;
  return deleted;
}

/**
 * Deletes old pictures of deleted files and of earlier renderer versions. Pictures of a newer version stay.
 *
 * @param listKnown returns the ids of existing files
 */
export function sweepPictures(
  store: FileStore,
  before: Date,
  listKnown: (fileIds: string[]) => Promise<Set<string>>,
): Promise<number> {
  return sweepStore(store, {
    area: "derived",
    folder: top,
    listKnown,
    decide({ path, modifiedAt }) {
      const [, fileId = "", version] = path.split("/");
      if (modifiedAt >= before) return "keep";
      return Number(version) < rendererVersion ? "delete" : { key: fileId };
    },
  });
}

type Env<Actor> = { Variables: { actor: Actor | null } };

/** Pictures never change, and are private to their readers. */
const cacheControl = "private, max-age=31536000, immutable";

/**
 * Serves `/pictures/<file>/<renderer>/<page>-<band>-<width>.webp` to people who may read the file. For others it
 * doesn't exist, and the next handler answers.
 */
export function createPictureRoutes<Actor>(
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
    const picture = await store.open("derived", getPicturePath({ fileId: file, ...place }));
    if (!picture) return next();
    const { stream, size } = picture;
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

import { type Context, Hono } from "hono";
import { NotFound } from "../platform/errors.ts";
import { type Bucket, buckets } from "./rules.ts";
import { type ServedFile, serveFile } from "./serve-file.server.ts";
import type { FileStore } from "./store.server.ts";

type Env<Actor> = { Variables: { actor: Actor | null } };

/** Finds a file for one who may read it; null for anybody else. */
type FindReadable<Actor> = (
  actor: Actor,
  bucket: Bucket,
  path: string,
) => Promise<ServedFile | null>;

const prefix = "/storage/";

/**
 * Answers `/storage/<bucket>/<path>` to those who may read the file. To anybody else it is not
 * found, as if there were none: whatever comes next answers.
 */
export function fileRoutes<Actor>(store: FileStore, find: FindReadable<Actor>): Hono<Env<Actor>> {
  const routes = new Hono<Env<Actor>>();
  routes.all("/*", async (context: Context<Env<Actor>>, next) => {
    const { method } = context.req;
    if (method !== "GET" && method !== "HEAD") {
      return context.text("Method not allowed", 405, { Allow: "GET, HEAD" });
    }
    const actor = context.get("actor");
    const address = readAddress(new URL(context.req.url).pathname);
    const file = actor && address && (await find(actor, address.bucket, address.path));
    if (!file) return next();
    try {
      return await serveFile(context.req.raw, store, file);
    } catch (error) {
      if (error instanceof NotFound) return next();
      throw error;
    }
  });
  return routes;
}

/** What the address names: each part of the path decoded by itself, so that "%2F" is no way down. */
function readAddress(pathname: string) {
  const [name, ...encoded] = pathname.slice(prefix.length).split("/");
  const bucket = buckets.find((known) => known === name);
  const segments = encoded.map(decoded);
  if (!bucket || segments.some((segment) => !segment || /[/\\\u0000]/.test(segment))) return null;
  return { bucket, path: segments.join("/") };
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

import { Hono } from "hono";
import { buckets } from "../../app/files/rules.ts";
import { serveFile } from "../../app/files/serve-file.server.ts";
import { NotFound } from "../../app/platform/errors.ts";
import { mayReadFile } from "../../app/reviews/may-read-file.server.ts";
import type { Env } from "../http/request.ts";
import type { Services } from "../services.ts";

const prefix = "/storage/";

/**
 * Answers `/storage/<bucket>/<path>` to those who may read the file. To anybody else it is not
 * found, as if there were none: whatever comes next answers.
 */
export function storedFiles({ app: { db }, store }: Services): Hono<Env> {
  const app = new Hono<Env>();
  app.all("/*", async (context, next) => {
    const { method } = context.req;
    if (method !== "GET" && method !== "HEAD") {
      return context.text("Method not allowed", 405, { Allow: "GET, HEAD" });
    }
    const actor = context.get("actor");
    const address = readAddress(new URL(context.req.url).pathname);
    const file = actor && address && (await mayReadFile(db, actor, address.bucket, address.path));
    if (!file) return next();
    try {
      const response = await serveFile(context.req.raw, store, file);
      // Our own pages show a document beside what is written about it.
      response.headers.set("X-Frame-Options", "SAMEORIGIN");
      return response;
    } catch (error) {
      if (error instanceof NotFound) return next();
      throw error;
    }
  });
  return app;
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

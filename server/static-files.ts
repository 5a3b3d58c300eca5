import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";
import type { ServerBuild } from "react-router";

const oneYear = "public, max-age=31536000, immutable";

/** Serves the built files of the browser, compressed when they were built; their names change with their content. */
export function staticFiles(build: ServerBuild): MiddlewareHandler {
  const serve = serveStatic({
    root: build.assetsBuildDirectory,
    precompressed: true,
    onFound(path, context) {
      context.header("Cache-Control", path.includes("/assets/") ? oneYear : "public, max-age=3600");
      context.header("X-Content-Type-Options", "nosniff");
    },
  });
  return (context, next) =>
    context.req.method === "GET" || context.req.method === "HEAD" ? serve(context, next) : next();
}

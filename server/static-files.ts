import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";
import type { ServerBuild } from "react-router";
import { acceptedEncodings } from "./bodies.ts";

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
  return (context, next) => {
    const { method, raw } = context.req;
    if (method !== "GET" && method !== "HEAD") return next();
    // It knows names alone, and would miss "br;q=1" as well as a refusal of all that is not named.
    const accepted = acceptedEncodings(raw.headers.get("accept-encoding") ?? "");
    raw.headers.set("accept-encoding", accepted.join(", "));
    return serve(context, next);
  };
}

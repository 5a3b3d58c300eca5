import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";
import type { ServerBuild } from "react-router";
import { listAcceptedEncodings } from "./bodies.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Env } from "./request.ts";
import { getBareHeaders } from "./security.ts";

/** The route name of all static files in logs and metrics. */
export const staticRoute = "static";

const oneYear = "public, max-age=31536000, immutable";

/** Serves the browser's built files, which are precompressed and have hashed names. */
export function serveStaticFiles(build: ServerBuild, config: Config): MiddlewareHandler<Env> {
  const headers = Object.entries(getBareHeaders(config));
  const serve = serveStatic({
    root: build.assetsBuildDirectory,
    precompressed: true,
    onFound(path, context: Context<Env>) {
      context.set("route", staticRoute);
      context.header("Cache-Control", path.includes("/assets/") ? oneYear : "public, max-age=3600");
      for (const [name, value] of headers) context.header(name, value);
    },
  });
  const built = listFilesBelow(build.assetsBuildDirectory);
  return (context, next) => {
    const { method, path, raw } = context.req;
    const isRead = method === "GET" || method === "HEAD";
    if (!isRead || !built.has(path)) return next();
    // serveStatic compares only names, so it would miss "br;q=1" or ignore "*;q=0".
    const accepted = listAcceptedEncodings(raw.headers.get("accept-encoding") ?? "", [
      "br",
      "gzip",
    ]);
    raw.headers.set("accept-encoding", accepted.join(", "));
    return serve(context, next);
  };
}

/** Lists the paths of built files, because checking the disk for each request is slow. */
function listFilesBelow(folder: string): Set<string> {
  // In development nothing is built and Vite serves the files.
  if (!existsSync(folder)) return new Set();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) => {
      const path = relative(folder, join(parentPath, name));
      return `/${path.replaceAll("\\", "/")}`;
    }),
  );
}

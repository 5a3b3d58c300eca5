import { Hono, type Context } from "hono";
import type { Env } from "../http/request.ts";
import { feeds } from "./feeds.ts";
import { manifest } from "./manifest.ts";
import { robots } from "./robots.ts";
import type { Services } from "../services.ts";
import { sitemaps } from "./sitemaps.ts";
import { socialImages } from "../social-images/routes.ts";

/** What programs read to find and show the product. All of it is public and for reading only. */
export function publicDocuments(services: Services): Hono<Env> {
  const { config } = services.app;
  const app = new Hono<Env>();
  app.get("/robots.txt", (context) => sendText(context, "text/plain", robots(config)));
  app.get("/manifest.webmanifest", (context) =>
    sendText(context, "application/manifest+json", JSON.stringify(manifest(config.product))),
  );
  app.route("/", feeds(services));
  app.route("/", sitemaps(services));
  app.route("/", socialImages(services));
  for (const path of [
    "/robots.txt",
    "/manifest.webmanifest",
    "/jobs/feed.atom",
    "/jobs/feed.json",
    "/sitemap.xml",
    "/sitemaps/*",
    "/social/*",
  ])
    app.all(path, onlyRead);
  return app;

  function sendText(context: Context, type: string, text: string) {
    const made = async () => ({ type: `${type}; charset=utf-8`, text });
    return services.documents.send(context, { key: context.req.path, maxAge: 3600 }, made);
  }
}

function onlyRead(context: Context): Response {
  const isReading = context.req.method === "GET" || context.req.method === "HEAD";
  return isReading
    ? context.text("Not found", 404)
    : context.text("Method not allowed", 405, { Allow: "GET, HEAD" });
}

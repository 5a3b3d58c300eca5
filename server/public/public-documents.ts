import { type Context, Hono } from "hono";
import type { Env } from "../http/request.ts";
import type { Services } from "../services/services.ts";
import { createLogoRoutes } from "../../app/companies/logo/logo-routes.server.ts";
import { createPlaceRoutes } from "./places.ts";
import { createSitemapRoutes } from "./sitemaps.ts";
import { createSocialImageRoutes } from "./social-images.ts";
import { day, now } from "../../app/platform/clock.ts";
import type { Config, Product } from "../../app/platform/config.server.ts";
import { paperColors } from "../../app/site/theme.ts";
import { buildFeedAddress, feedTypes } from "../../app/jobs/filters/board-query.ts";
import { parseJobFilter } from "../../app/jobs/filters/job-filter.server.ts";
import { renderAtomFeed, renderJsonFeed, loadFeed } from "../../app/jobs/feed/feed.server.ts";

/** Serves the public documents for crawlers, feed readers and link previews. */
export function createPublicDocumentRoutes(services: Services): Hono<Env> {
  const { config } = services.app;
  const app = new Hono<Env>();
  app.get("/robots.txt", (context) => sendText(context, "text/plain", renderRobots(config)));
  app.get(securityPath, (context) => sendText(context, "text/plain", renderSecurity(config)));
  app.get("/manifest.webmanifest", (context) =>
    sendText(context, "application/manifest+json", JSON.stringify(buildManifest(config.product))),
  );
  app.route("/", createFeedRoutes(services));
  app.route("/", createPlaceRoutes());
  app.route("/", createSitemapRoutes(services));
  app.route("/", createSocialImageRoutes(services));
  app.route("/", createLogoRoutes(services.app.db));
  for (const path of [
    "/robots.txt",
    securityPath,
    "/manifest.webmanifest",
    "/jobs/feed.atom",
    "/jobs/feed.json",
    "/places",
    "/sitemap.xml",
    "/sitemaps/*",
    "/social/*",
  ])
    app.all(path, respondReadOnly);
  return app;

  function sendText(context: Context, type: string, text: string) {
    const make = async () => ({ type: `${type}; charset=utf-8`, text });
    return services.documents.send(context, { key: context.req.path, maxAge: 3600 }, make);
  }
}

function respondReadOnly(context: Context): Response {
  const isReading = context.req.method === "GET" || context.req.method === "HEAD";
  return isReading
    ? context.text("Not found", 404)
    : context.text("Method not allowed", 405, { Allow: "GET, HEAD" });
}

/** Private areas and actions, which crawlers should not request. */
const disallowed = [
  "/admin",
  "/reviewer",
  "/job-board",
  "/profile",
  "/subscription",
  "/service-review",
  "/services/",
  "/payment-",
  "/post/",
  "/payu-webhook",
  "/places",
  "/uploads",
  "/storage/",
  "/session",
  "/theme",
  "/logout",
];

/** Renders robots.txt. All public pages are allowed, also in a demo. */
function renderRobots({ mode, origin }: Pick<Config, "mode" | "origin">): string {
  const paths = mode === "demo" ? [...disallowed, "/demo"] : disallowed;
  return [
    "User-agent: *",
    ...paths.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}

const securityPath = "/.well-known/security.txt";

/** A stored copy is valid for this long. RFC 9116 recommends less than a year. */
const securityLifetime = 180 * day;

/** Renders the address for reports of vulnerabilities in the format of RFC 9116. */
function renderSecurity({ origin, product }: Pick<Config, "origin" | "product">): string {
  return [
    `Contact: mailto:${product.supportEmail}`,
    `Expires: ${new Date(now().getTime() + securityLifetime).toISOString()}`,
    "Preferred-Languages: en, hi",
    `Canonical: ${origin}${securityPath}`,
    "",
  ].join("\n");
}

/** Builds the manifest for installing the product on a device. */
function buildManifest({ name }: Pick<Product, "name">) {
  return {
    id: "/",
    name,
    short_name: name,
    description: "Design jobs in India with a real person to ask, and expert reviews.",
    lang: "en-IN",
    start_url: "/",
    scope: "/",
    display: "minimal-ui",
    theme_color: paperColors.light,
    background_color: paperColors.light,
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}

const feedRenderers = { atom: renderAtomFeed, json: renderJsonFeed };
/** Feed readers poll every few minutes, regardless of this value. */
const maxAge = 300;

/** Serves the jobs of any board filter as feeds, with the same query parameters as the board. */
function createFeedRoutes({ app: { config, db }, documents }: Services): Hono<Env> {
  const app = new Hono<Env>();
  const publisher = { name: config.product.name, origin: config.origin };
  for (const format of ["atom", "json"] as const) {
    app.get(`/jobs/feed.${format}`, (context) => {
      const filter = parseJobFilter(new URL(context.req.url).searchParams);
      const key = buildFeedAddress(format, filter.query);
      return documents.send(context, { key, maxAge }, async () => {
        const feed = await loadFeed(db, filter);
        const text = feedRenderers[format](feed, filter, publisher);
        return { type: `${feedTypes[format]}; charset=utf-8`, text, changedAt: feed.changedAt };
      });
    });
  }
  return app;
}

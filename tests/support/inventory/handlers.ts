import { publicPages } from "./screens.ts";

/**
 * The handlers other than screens. "anyone"; "signed in": visitors are refused; "signed by PayU": a post without
 * a signature changes nothing; "owner": only people who may see the file; "nobody": 405.
 */
export const handlers: Record<
  string,
  "anyone" | "signed in" | "signed by PayU" | "owner" | "nobody"
> = {
  ...Object.fromEntries(
    [
      "/robots.txt",
      "/.well-known/security.txt",
      "/manifest.webmanifest",
      "/jobs/feed.atom",
      "/jobs/feed.json",
      "/places",
      "/sitemap.xml",
      "/sitemaps/pages.xml",
      "/sitemaps/:file{jobs-[1-9][0-9]{0,5}\\.xml}",
      "/social/jobs/:file{[0-9a-f-]{36}\\.png}",
      "/social/companies/:file{[a-z0-9-]+\\.png}",
      ...publicPages.map(({ path }) => `/social${path === "/" ? "/home" : path}.png`),
    ].map((path) => [`GET ${path}`, "anyone" as const]),
  ),
  "ALL /robots.txt": "nobody",
  "ALL /.well-known/security.txt": "nobody",
  "ALL /manifest.webmanifest": "nobody",
  "ALL /jobs/feed.atom": "nobody",
  "ALL /jobs/feed.json": "nobody",
  "ALL /places": "nobody",
  "ALL /sitemap.xml": "nobody",
  "ALL /sitemaps/*": "nobody",
  "ALL /social/*": "nobody",
  "GET /healthz": "anyone",
  "GET /offline": "anyone",
  "GET /service-worker.js": "anyone",
  "GET /livez": "anyone",
  "GET /readyz": "anyone",
  "GET /demo": "anyone",
  "GET /demo/mailbox": "anyone",
  "GET /demo/mailbox/:id": "anyone",
  "POST /demo/act-as": "anyone",
  "GET /payu-webhook": "anyone",
  "POST /alerts/stop/:token": "anyone",
  "POST /payu-webhook": "signed by PayU",
  "ALL /payu-webhook": "nobody",
  "POST /payment-success": "signed by PayU",
  "POST /payment-failure": "signed by PayU",
  ...Object.fromEntries(
    ["PUT", "PATCH", "DELETE", "OPTIONS"].flatMap((method) => [
      [`${method} /payment-success`, "nobody"],
      [`${method} /payment-failure`, "nobody"],
    ]),
  ),
  "GET /companies/:slug/logo/:hash": "anyone",
  "GET /shared/:token/:name": "anyone",
  "HEAD /shared/:token/:name": "anyone",
  "POST /uploads/form": "signed in",
  "ALL /uploads": "signed in",
  "ALL /uploads/:id": "signed in",
  "ALL /storage/*": "owner",
  "GET /pictures/:file/:renderer/:name": "owner",
  "HEAD /pictures/:file/:renderer/:name": "owner",
  "GET /service-review/:id/annotated.pdf": "owner",
  "GET /profile/payments/:orderId/receipt.pdf": "owner",
  "GET /profile/payments/:orderId/credit-note.pdf": "owner",
  "GET /reviewer/earnings/:file{20[0-9]{2}-[0-9]{2}\\.pdf}": "owner",
  "GET /reviewer/earnings/:file{20[0-9]{2}-[0-9]{2}\\.csv}": "owner",
  "GET /profile/data/export/:file{[0-9a-f-]{36}\\.zip}": "owner",
};

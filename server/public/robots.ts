import type { Config } from "../../app/platform/config.server.ts";

/** Areas that are somebody's own, and addresses that do something: nothing there is to be found. */
const closed = [
  "/admin",
  "/reviewer",
  "/job-board",
  "/profile",
  "/subscription",
  "/service-review",
  "/services/",
  "/payment-",
  "/payu-webhook",
  "/uploads",
  "/storage/",
  "/session",
  "/theme",
  "/logout",
];

/** What robots may read. Everything for everybody is open, also in a demonstration. */
export function robots({ mode, origin }: Pick<Config, "mode" | "origin">): string {
  const paths = mode === "demo" ? [...closed, "/demo"] : closed;
  return [
    "User-agent: *",
    ...paths.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}

import { createHash } from "node:crypto";
import { Hono } from "hono";
import { html, raw } from "hono/html";
import type { Product } from "../app/platform/config.server.ts";
import { buildPageStyles, fontPreloads, mark } from "../app/ui/brand/page-styles.server.ts";
import type { Env } from "./http/request.ts";

const page = "/offline";

/**
 * Serves the offline page and the service worker that shows it if a page cannot be loaded. Only the offline page
 * is cached, never anything private.
 */
export function createOfflineRoutes(product: Product): Hono<Env> {
  const app = new Hono<Env>();
  app.get(page, (context) =>
    context.html(renderOfflinePage(product), 200, { "X-Robots-Tag": "noindex" }),
  );
  app.get("/service-worker.js", async (context) =>
    // Revalidated at every visit, so that a browser never uses an old one.
    context.body(renderServiceWorker(hash(await renderOfflinePage(product))), 200, {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
      // It only fetches pages.
      "Content-Security-Policy": "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    }),
  );
  return app;
}

/** Encodes the page first, because Hono's `html` returns an object that a hash would refuse. */
function hash(page: string): string {
  return createHash("sha256")
    .update(new TextEncoder().encode(page))
    .digest("base64url")
    .slice(0, 12);
}

/**
 * Renders the service worker. It handles only page loads, and recognises our error pages by a header that no
 * proxy sets.
 */
function renderServiceWorker(version: string): string {
  return `const cache = "offline-${version}";

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(
    caches.open(cache).then((opened) => opened.add(new Request("${page}", { credentials: "omit", cache: "reload" }))),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([
      registration.navigationPreload?.enable(),
      caches.keys().then((names) =>
        Promise.all(names.filter((name) => name !== cache).map((name) => caches.delete(name))),
      ),
    ]),
  );
});

addEventListener("fetch", (event) => {
  const { request, preloadResponse } = event;
  if (request.mode !== "navigate" || request.method !== "GET") return;
  if (/^\\/(storage|uploads|demo)\\//.test(new URL(request.url).pathname)) return;
  event.respondWith(answer(request, preloadResponse));
});

async function answer(request, preloaded) {
  try {
    const answer = (await preloaded) ?? (await fetch(request));
    if (answer.status < 500 || answer.headers.has("Cross-Origin-Opener-Policy")) return answer;
  } catch {}
  return (await caches.match("${page}")) ?? Response.error();
}
`;
}

const styles = `
${buildPageStyles()}
body { display: grid; align-content: center; min-height: 100dvh; max-width: 38rem; margin-inline: auto; padding: var(--gutter); }
main > p { margin-bottom: 1rem; }
h1 { margin-bottom: 0.75rem; }
.again { display: inline-grid; place-items: center; min-height: 2.75rem; padding-inline: 1.25rem; border-radius: var(--radius-sm); background: var(--color-fill); color: var(--color-on-fill); font-weight: 600; text-decoration: none; }
`;

/** Renders the offline page. It retries without scripts, because its URL is the requested one. */
function renderOfflinePage({ name }: Product) {
  return html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="20" />
        <meta name="robots" content="noindex" />
        <title>We couldn't load this page | ${name}</title>
        ${raw(fontPreloads)}
        <style>
          ${raw(styles)}
        </style>
      </head>
      <body>
        <main>
          <p class="wordmark">${raw(mark)} ${name}</p>
          <h1>We couldn't load this page</h1>
          <p>
            You may be offline, or our server can't be reached right now. We'll try again every 20
            seconds.
          </p>
          <p><a class="again" href="">Try again now</a></p>
        </main>
      </body>
    </html>`;
}

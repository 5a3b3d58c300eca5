import type { Context, Handler, MiddlewareHandler } from "hono";
import { readSessionToken } from "../../app/accounts/session.server.ts";
import { minute } from "../../app/platform/clock.ts";
import { readCookie } from "../../app/platform/cookies.ts";
import type { Config } from "../../app/platform/config.server.ts";
import { themeCookie } from "../../app/site/theme.ts";
import { hasOneTimeContent, isPrefetch } from "../http/prefetches.ts";
import type { PublicScreens } from "./public-screens.ts";
import type { Env } from "../http/request.ts";
import { buildContentSecurityPolicy, getSecurityHeaders } from "../http/security.ts";
import {
  createCachedBody,
  type CachedBody,
  selectEncodedBody,
  isKnown,
  hashSha256,
} from "../http/bodies.ts";
import type { ChangeCache } from "./change-cache.ts";

/** Pages show ages such as "Today", so they are cached only briefly. */
const lifetime = minute;
export const maxPages = 300;

/** The suffix of the router's data URLs, which are not pages. */
const data = ".data";
/** Cookies that change the appearance of a public page. */
const appearanceCookies = [themeCookie];

type Page = { headers: Record<string, string>; policy: string; body: CachedBody };

type PageCache = {
  /** Responds with a cached page, before any other middleware runs. */
  ready(): MiddlewareHandler<Env>;
  /** Renders pages that are not cached, and caches them if they are public. */
  around(render: Handler<Env>): Handler<Env>;
};

/**
 * Caches visitors' pages, rendered and compressed, for at most a minute. A page rendered before a change is
 * never cached after it. Concurrent requests for the same page share one rendering.
 *
 * @param screens tells which pages are the same for every visitor, apart from the cookies above
 */
export function createPageCache(
  cache: ChangeCache,
  config: Config,
  screens: Pick<PublicScreens, "isCached" | "getCacheKey">,
): PageCache {
  // Anyone can make up queries. They have a room of their own, so that they can't evict the other pages.
  const room = (name: string) => cache.room<Page | null>({ name, max: maxPages, lifetime });
  const rooms = { plain: room("pages"), queried: room("pages with a query") };

  return {
    ready: () => async (context, next) => {
      // Prefetches get different cache headers, from handlePrefetches.
      if (!isPublic(context) || isPrefetch(context)) return next();
      const cached = findPlace(context);
      const page = cached && cached.pages.find(cached.key);
      return page ? send(context, page) : next();
    },
    around: (render) => async (context, next) => {
      if (!cache.isTrusted() || !isPublic(context)) return render(context, next);
      const place = findPlace(context);
      if (!place) return render(context, next);
      const { pages, key, address } = place;
      if (context.req.method === "HEAD") {
        // A HEAD response has no body and must not be cached for GET.
        const page = pages.find(key);
        return page ? send(context, page) : render(context, next);
      }
      let response: Response | null = null;
      // The page must not contain the first visitor's address, since it is sent for others of the same query.
      context.set("renderedAddress", address);
      const page = await pages.read(key, async () => {
        response = (await render(context, next)) as Response;
        if (response.status !== 200 || response.headers.has("set-cookie")) return null;
        return toCachedPage(response, context.get("facts").nonce, config);
      });
      return page ? send(context, page) : (response ?? render(context, next));
    },
  };

  /** Finds where the page of a request is cached; null if it isn't. */
  function findPlace(context: Context<Env>) {
    const address = screens.getCacheKey(new URL(context.req.url));
    if (address === null) return null;
    const pages = address.includes("?") ? rooms.queried : rooms.plain;
    return { pages, address, key: addAppearance(address, context, config) };
  }

  function isPublic(context: Context<Env>): boolean {
    const { req } = context;
    return (
      (req.method === "GET" || req.method === "HEAD") &&
      screens.isCached(req.path) &&
      !req.path.endsWith(data) &&
      req.url.length < 500 &&
      !req.query("token_hash") &&
      context.get("facts").toasts.length === 0 &&
      readSessionToken(config, req.header("cookie") ?? null) === null &&
      !hasOneTimeContent(context, config)
    );
  }
}

function addAppearance(address: string, context: Context, config: Config): string {
  const cookies = context.req.header("cookie");
  const appearance = appearanceCookies.map((cookie) => readCookie(cookie, cookies, config) ?? "");
  return [address, ...appearance].join("\n");
}

/** Allows inline scripts by hash, because a nonce is only valid for one response. */
async function toCachedPage(response: Response, nonce: string, config: Config): Promise<Page> {
  const html = (await response.text()).replaceAll(` nonce="${nonce}"`, "");
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = new Set(scripts.map(([, script]) => `'sha256-${hashSha256(script ?? "")}'`));
  const body = await createCachedBody(html);
  return {
    headers: {
      ...getSecurityHeaders(config),
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-cache",
      Vary: "Cookie, Accept-Encoding",
      ETag: body.etag,
    },
    policy: buildContentSecurityPolicy(config, [...hashes].join(" ")),
    body,
  };
}

/** A 304 is sent without a policy, which would replace the policy of the cached page. */
function send(context: Context, { headers, policy, body }: Page): Response {
  if (isKnown(context.req.header("if-none-match"), body.etag))
    return new Response(null, { status: 304, headers });
  const { bytes, headers: encoding } = selectEncodedBody(
    context.req.header("accept-encoding"),
    body,
  );
  return new Response(context.req.method === "HEAD" ? null : bytes, {
    headers: { ...headers, "Content-Security-Policy": policy, ...encoding },
  });
}

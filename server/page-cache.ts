import type { Context, Handler } from "hono";
import { getCookie } from "hono/cookie";
import { sessionCookieName } from "../app/accounts/session.server.ts";
import { minute } from "../app/platform/clock.ts";
import type { Config } from "../app/platform/config.server.ts";
import { Unavailable } from "../app/platform/errors.ts";
import { carriesSomething } from "./prefetches.ts";
import { encodedFor, isKnown, keptBody, type KeptBody, sha256 } from "./bodies.ts";
import type { Memory } from "./hear-changes.ts";
import type { Env } from "./request.ts";
import { contentSecurityPolicy } from "./security.ts";

/** Ages such as "Today" move on, so that no page is kept longer. */
const longestLife = minute;
export const mostPages = 500;

/** Pages that look the same to every visitor, but for the cookies named below. */
const publicPages =
  /^\/($|jobs$|jobs\/[^/]+$|services$|about$|contact$|privacy$|terms$|refund$|faq$)/;
/** How the address ends at which the router's client asks for a screen's data, which is no page. */
const data = ".data";
/** Cookies that change how a public page looks. */
const looks = ["theme"];

type Page = { bornAt: number; headers: Record<string, string>; body: KeptBody };

export type PageCache = Memory & {
  /** Answers from memory where that is right, else asks `draw` and remembers. */
  around(draw: Handler<Env>): Handler<Env>;
};

/**
 * Keeps the pages that visitors see, drawn and compressed, for a minute at most. A page drawn before
 * a change is never kept after it; visitors who ask for the same page while it is drawn wait for that
 * one drawing.
 */
export function pageCache(config: Config): PageCache {
  let generation = 0;
  let trusted = false;
  const pages = new Map<string, Promise<Page | null>>();

  function empty(): void {
    generation += 1;
    pages.clear();
  }

  async function drawOnce(
    key: string,
    context: Context<Env>,
    draw: Handler<Env>,
  ): Promise<Response> {
    const begun = generation;
    const drawing = (async () => {
      const response = (await draw(context, async () => {})) as Response;
      if (response.status !== 200 || response.headers.has("set-cookie")) return { response };
      return { page: await asPage(response, context.get("facts").nonce, config) };
    })();
    const page = drawing.then((drawn) => drawn.page ?? null);
    page.catch(() => {});
    if (pages.size >= mostPages) pages.delete(pages.keys().next().value!);
    pages.set(key, page);
    try {
      const drawn = await drawing;
      if (!drawn.page) forget(key, page);
      return drawn.page ? send(context, drawn.page) : drawn.response;
    } catch (error) {
      forget(key, page);
      throw error;
    } finally {
      if (begun !== generation) forget(key, page);
    }
  }

  function forget(key: string, page: Promise<Page | null>): void {
    if (pages.get(key) === page) pages.delete(key);
  }

  return {
    empty,
    setTrusted(value) {
      trusted = value;
      empty();
    },
    around: (draw) => async (context, next) => {
      if (!trusted || !isPublic(context, config)) return draw(context, next);
      const key = keyOf(context);
      const waiting = pages.get(key);
      const known = waiting && (await waiting.catch(unlessUnavailable));
      if (known && performance.now() - known.bornAt < longestLife) return send(context, known);
      // What is drawn for a HEAD has no body, and would be kept for those who want one.
      return context.req.method === "GET" ? drawOnce(key, context, draw) : draw(context, next);
    },
  };
}

/** Who waited for a drawing draws for themselves when it failed, but for want of the database: not again. */
function unlessUnavailable(error: unknown): null {
  if (error instanceof Unavailable) throw error;
  return null;
}

function isPublic(context: Context<Env>, config: Config): boolean {
  const { req } = context;
  return (
    (req.method === "GET" || req.method === "HEAD") &&
    publicPages.test(req.path) &&
    !req.path.endsWith(data) &&
    req.url.length < 500 &&
    !req.query("token_hash") &&
    context.get("facts").toasts.length === 0 &&
    getCookie(context, sessionCookieName(config)) === undefined &&
    !carriesSomething(context)
  );
}

function keyOf(context: Context): string {
  const { pathname, search } = new URL(context.req.url);
  return [pathname, search, ...looks.map((name) => getCookie(context, name) ?? "")].join("\n");
}

/** A nonce is for one answer; a page that is kept names its inline scripts by their hashes. */
async function asPage(response: Response, nonce: string, config: Config): Promise<Page> {
  const html = (await response.text()).replaceAll(` nonce="${nonce}"`, "");
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = new Set(scripts.map(([, script]) => `'sha256-${sha256(script ?? "")}'`));
  return {
    bornAt: performance.now(),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-cache",
      "Content-Security-Policy": contentSecurityPolicy(config, [...hashes].join(" ")),
      Vary: "Cookie, Accept-Encoding",
    },
    body: await keptBody(html),
  };
}

function send(context: Context, page: Page): Response {
  const { "Content-Security-Policy": policy, ...headers } = page.headers;
  const { etag } = page.body;
  if (isKnown(context.req.header("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: { ...headers, ETag: etag } });
  }
  const { bytes, headers: encoding } = encodedFor(context.req.header("accept-encoding"), page.body);
  return new Response(context.req.method === "HEAD" ? null : bytes, {
    headers: { ...headers, "Content-Security-Policy": policy ?? "", ETag: etag, ...encoding },
  });
}

import type { MiddlewareHandler } from "hono";
import type { Config } from "../../app/platform/config.server.ts";
import type { Env } from "./request.ts";

/** The payment provider posts to these paths from its own site. Each one checks a signature instead. */
const crossSitePaths = ["/payment-success", "/payment-failure", "/payu-webhook"];

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Redirects requests for another host name of this machine to the configured origin. */
export function redirectToOrigin(config: Config): MiddlewareHandler {
  const { host } = new URL(config.origin);
  const headers = getBareHeaders(config);
  return async (context, next) => {
    const requestedHost = context.req.header("host");
    if (config.mode === "demo" && requestedHost !== host && safeMethods.has(context.req.method)) {
      const { pathname, search } = new URL(context.req.url);
      const location = `${config.origin}${pathname}${search}`;
      return new Response(null, { status: 307, headers: { ...headers, Location: location } });
    }
    return next();
  };
}

/** Refuses changes that were requested by another site. The full origin must match. */
export function requireSameOrigin(config: Config): MiddlewareHandler {
  return async (context, next) => {
    if (safeMethods.has(context.req.method)) return next();
    if (crossSitePaths.includes(context.req.path)) return next();
    const origin = context.req.header("origin");
    const site = context.req.header("sec-fetch-site");
    // Clients other than browsers send neither header, and have no one else's cookies.
    const isSameOrigin =
      origin === undefined
        ? !site || site === "same-origin" || site === "none"
        : origin === config.origin;
    if (!isSameOrigin)
      return context.text("This request came from another site and was refused.", 403);
    return next();
  };
}

/** Sets the security headers on every response, unless a handler has set them. */
export function setSecurityHeaders(config: Config): MiddlewareHandler<Env> {
  const defaultHeaders = Object.entries(getSecurityHeaders(config));
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    // "no-referrer" would make browsers send "Origin: null" with forms, which are then refused.
    if (context.req.query("token_hash")) setDefault(headers, "Referrer-Policy", "same-origin");
    for (const [name, value] of defaultHeaders) setDefault(headers, name, value);
    // On a 304 it would replace the policy of the page in the browser's cache.
    if (context.res.status === 304) return;
    const isPage = headers.get("content-type")?.startsWith("text/html");
    const scripts = `'nonce-${context.get("facts").nonce}'`;
    const policy = isPage
      ? buildContentSecurityPolicy(config, scripts, context.req.path)
      : filePolicy;
    setDefault(headers, "Content-Security-Policy", policy);
  };
}

/**
 * The policy for responses that are not pages: no scripts, no requests and no framing. An SVG keeps its inner
 * styles.
 */
const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Returns the headers for responses that are not pages and bypass the middleware. */
export function getBareHeaders(config: Config): Record<string, string> {
  return { ...getSecurityHeaders(config), "Content-Security-Policy": filePolicy };
}

/** Returns the headers of every page whose URL contains no secret. */
export function getSecurityHeaders(config: Config): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    ...(config.origin.startsWith("https:") && {
      "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    }),
  };
}

/** Screens that show images from other sites, which admins added by URL. */
const screensWithForeignImages = /^\/(admin\/reviews\/completed|service-review)(\/|$)/;

/**
 * Builds the content security policy of a page with these inline scripts. It applies until the document is
 * reloaded, so links to the screens above reload the page.
 */
export function buildContentSecurityPolicy(config: Config, scripts: string, path = "/"): string {
  const foreignImages = screensWithForeignImages.test(path) ? " https:" : "";
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts}${config.viteDevServer ? " 'unsafe-inline'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${foreignImages}`,
    "font-src 'self'",
    `connect-src 'self'${config.viteDevServer ? " ws:" : ""}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Chrome applies this to the whole chain of redirects behind the payment form.
    `form-action 'self' ${config.payu.formHosts.join(" ")}`,
  ].join("; ");
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

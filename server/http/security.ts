import type { MiddlewareHandler } from "hono";
import type { Config } from "../../app/platform/config.server.ts";
import type { Env } from "./request.ts";

/** Paths that the payment provider posts to from its own site; each checks a signature instead. */
const postedFromElsewhere = ["/payment-success", "/payment-failure", "/payu-webhook"];

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Sends a visitor who came by another name of this machine to the configured origin. */
export function redirectToOrigin(config: Config): MiddlewareHandler {
  const { host } = new URL(config.origin);
  const headers = getBareHeaders(config);
  return async (context, next) => {
    const asked = context.req.header("host");
    if (config.mode === "demo" && asked !== host && safeMethods.has(context.req.method)) {
      const { pathname, search } = new URL(context.req.url);
      const location = `${config.origin}${pathname}${search}`;
      return new Response(null, { status: 307, headers: { ...headers, Location: location } });
    }
    return next();
  };
}

/** Refuses a change that another site's page asked for: the whole origin is compared. */
export function requireSameOrigin(config: Config): MiddlewareHandler {
  return async (context, next) => {
    if (safeMethods.has(context.req.method)) return next();
    if (postedFromElsewhere.includes(context.req.path)) return next();
    const origin = context.req.header("origin");
    const site = context.req.header("sec-fetch-site");
    // A program without a browser sends neither header, and has nobody's cookies.
    const own =
      origin === undefined
        ? !site || site === "same-origin" || site === "none"
        : origin === config.origin;
    if (!own) return context.text("This request came from another site and was refused.", 403);
    return next();
  };
}

/** The headers that every answer carries; a handler that set one of them keeps its own. */
export function setSecurityHeaders(config: Config): MiddlewareHandler<Env> {
  const always = Object.entries(getSecurityHeaders(config));
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    // "no-referrer" would make browsers send "Origin: null" with forms, which are then refused.
    if (context.req.query("token_hash")) setDefault(headers, "Referrer-Policy", "same-origin");
    for (const [name, value] of always) setDefault(headers, name, value);
    // On a 304 it would replace the policy of the page that the browser has.
    if (context.res.status === 304) return;
    const isPage = headers.get("content-type")?.startsWith("text/html");
    const scripts = `'nonce-${context.get("facts").nonce}'`;
    const policy = isPage
      ? buildContentSecurityPolicy(config, scripts, context.req.path)
      : nothingLoads;
    setDefault(headers, "Content-Security-Policy", policy);
  };
}

/**
 * The policy for everything that is not a page: shown alone it runs nothing, loads nothing and appears in no
 * frame. A drawing keeps its inner styles.
 */
const nothingLoads =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** The headers of an answer that is no page, where nothing adds them on its way. */
export function getBareHeaders(config: Config): Record<string, string> {
  return { ...getSecurityHeaders(config), "Content-Security-Policy": nothingLoads };
}

/** Returns the headers of every page whose address contains no secret. */
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

/** Screens that show images which admins gave by their address on another site. */
const screensWithForeignImages = /^\/(admin\/reviews\/completed|service-review)(\/|$)/;

/**
 * Builds the content security policy of a page with these inline scripts. It is valid as long as the document:
 * links to the screens above reload the page.
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

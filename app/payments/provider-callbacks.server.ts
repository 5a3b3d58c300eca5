import { type Context, Hono, type HonoRequest } from "hono";
import { html, raw } from "hono/html";
import type { AppContext, RequestFacts } from "../platform/app-context.server.ts";
import { logFailure } from "../platform/log.server.ts";
import { readWholeBody } from "../platform/request-body.server.ts";
import { buildPageStyles, fontPreloads } from "../ui/brand/page-styles.server.ts";
import type { Payments } from "./payments.server.ts";
import { type Callback, parseKeepingDigits, readCallback } from "./payu.server.ts";
import { settleOrder } from "./settle-order.server.ts";

type Fields = Record<string, string>;
type Env = { Variables: { facts: RequestFacts } };

/** In bytes. A callback has about forty short fields. */
const maxCallbackBytes = 64 * 1024;

/**
 * Handles what the provider sends: returns, which the buyer's browser posts from the provider's site, and notices
 * from its server. Neither has a session; each is authenticated by its signature.
 */
export function createCallbackRoutes(app: AppContext, payments: Payments): Hono<Env> {
  const routes = new Hono<Env>();
  const limitBody = readWholeBody(maxCallbackBytes, (c) => refuse(c, 413, "too long"));

  for (const path of ["/payment-success", "/payment-failure"]) {
    routes.post(path, limitBody, (c) => acceptReturn(c, path));
    routes.on(["PUT", "PATCH", "DELETE", "OPTIONS"], path, respondNotAllowed);
  }
  routes.post("/payu-webhook", limitBody, (c) => acceptNotice(c));
  routes.get("/payu-webhook", (c) => c.html(noticePage));
  routes.all("/payu-webhook", respondNotAllowed);

  /** Always leads to the result page. A forged return changes nothing. */
  async function acceptReturn(c: Context<Env>, path: string): Promise<Response> {
    const fields = (await readCallbackFields(c.req)) ?? {};
    const callback = readOwn(fields);
    const txnId = fields.txnid ?? "";
    if (callback) {
      await settleOrder(app, payments, { orderId: txnId, source: "return", callback }).catch(
        (error: unknown) => logCallbackFailure(c, error, txnId),
      );
    } else {
      logRefusal(c, "forged", txnId);
    }
    return c.redirect(isTransactionId(txnId) ? `${path}?txnId=${txnId}` : path, 303);
  }

  /** Only 200 stops the provider's retries, which help after an unexpected failure. */
  async function acceptNotice(c: Context<Env>): Promise<Response> {
    const fields = await readCallbackFields(c.req);
    if (!fields) return refuse(c, 400, "malformed");
    const callback = readOwn(fields);
    if (!callback) return refuse(c, 403, "forged", fields.txnid);

    const { txnId } = callback;
    try {
      const settlement = { orderId: txnId, source: "notice", callback } as const;
      const outcome = await settleOrder(app, payments, settlement);
      return outcome ? c.text("ok") : refuse(c, 404, "unknown", txnId);
    } catch (error) {
      logCallbackFailure(c, error, txnId);
      return c.text("Please send this again.", 500);
    }
  }

  /** Returns null unless the provider signed the fields for our merchant key. */
  function readOwn(fields: Record<string, string>): Callback | null {
    const callback = readCallback(payments.settings, fields);
    return callback?.keyMatches && isTransactionId(callback.txnId) ? callback : null;
  }

  function refuse(
    c: Context,
    status: 400 | 403 | 404 | 413,
    why: string,
    txnId?: string,
  ): Response {
    logRefusal(c, why, txnId);
    return c.text("Refused.", status);
  }

  function logRefusal(c: Context, why: string, txnId?: string): void {
    const order = txnId?.slice(0, 40);
    app.log.warn({ request: getRequestId(c), path: c.req.path, why, order }, "callback refused");
  }

  function logCallbackFailure(c: Context<Env>, error: unknown, order: string): void {
    logFailure(app.log, error, "callback failed", { request: getRequestId(c), order });
  }

  return routes;
}

function respondNotAllowed(c: Context): Response {
  return c.text("Method not allowed.", 405, { Allow: "GET, HEAD, POST" });
}

function isTransactionId(text: string): boolean {
  return /^[\w-]{1,25}$/.test(text);
}

function getRequestId(c: Context<Env>): string | undefined {
  return c.get("facts")?.id;
}

const noticeStyles = `
${buildPageStyles()}
body { display: grid; place-content: center; min-height: 100vh; padding: var(--gutter); }
`;

/** For a person who opens the webhook's address in a browser. */
const noticePage = html`<!doctype html>
  <html lang="en-IN">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>Processing Payment...</title>
      <link rel="icon" href="/favicon.ico" />
      ${raw(fontPreloads)}
      <style>
        ${raw(noticeStyles)}
      </style>
    </head>
    <body>
      <main><h1>Processing Payment...</h1></main>
    </body>
  </html>`;

/**
 * Reads the fields of a return or a notice unchanged, since the signature covers them as received.
 * PayU documents notices as forms, but some arrive as JSON.
 *
 * @returns null for a body of another type, or one that cannot be parsed
 */
async function readCallbackFields(request: HonoRequest): Promise<Fields | null> {
  const type = request.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(await request.text()));
  }
  if (type === "application/json") return readJson(await request.text());
  return null;
}

function readJson(body: string): Fields | null {
  try {
    const values = parseKeepingDigits(body);
    if (typeof values !== "object" || values === null || Array.isArray(values)) return null;
    const texts = Object.entries(values).filter(([, value]) => typeof value === "string");
    return Object.fromEntries(texts);
  } catch {
    return null;
  }
}

import { randomBytes } from "node:crypto";
import { type BlockList, isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import type { Actor } from "../../app/accounts/actor.server.ts";
import { leavingCookie } from "../../app/accounts/sign-in/leaving-cookie.ts";
import {
  buildExpiredSessionCookie,
  revokeSession,
  findActor,
  recordSessionUse,
  buildSessionCookie,
  readSessionToken,
  extendSession,
} from "../../app/accounts/session.server.ts";
import type { Config } from "../../app/platform/config.server.ts";
import { expireCookie, readCookie, setCookie } from "../../app/platform/cookies.ts";
import { logFailure } from "../../app/platform/log.server.ts";
import type { AppContext, RequestFacts } from "../../app/platform/app-context.server.ts";
import { encodeToasts, readCarriedToasts, toastCookie } from "../../app/platform/toasts.server.ts";

/** The request facts and the signed-in person, for every handler. */
export type Asker = { facts: RequestFacts; actor: Actor | null };

/**
 * `route` overrides the route pattern in logs and metrics. `renderedAddress` is the path and query to render instead of
 * the request's own, for a cached page.
 */
export type Env = {
  Variables: Asker & { route: string | undefined; renderedAddress?: string };
};

/** Renders the screen of `app/routes.ts` for a request, as this person sees it. */
export type RenderScreen = (request: Request, asker: Asker) => Promise<Response>;

/** Collects the facts of a request: an id, the client's address, pending toasts. */
export function getRequestFacts(context: Context<Env>, config: Config): RequestFacts {
  return {
    id: randomBytes(8).toString("hex"),
    clientAddress: getClientAddress(context, config.trustedProxies),
    nonce: randomBytes(16).toString("base64"),
    toasts: readCarriedToasts(readCookie(toastCookie, context.req.header("cookie"), config)),
    shownToasts: [],
    setCookies: [],
  };
}

/**
 * Finds the signed-in person by the session cookie, and extends the session once a day. Ends a session that the
 * browser signed out of without reaching the server.
 */
export async function findRequestActor(
  context: Context<Env>,
  { config, db, log }: AppContext,
): Promise<Actor | null> {
  const cookies = context.req.header("cookie") ?? null;
  const token = readSessionToken(config, cookies);
  const isSigningOut = readCookie(leavingCookie, cookies, config) !== null;
  const { setCookies, id } = context.get("facts");
  if (isSigningOut) setCookies.push(expireCookie(leavingCookie, config));
  if (!token) return null;
  // The sign-out request itself ends the session and reports errors.
  const isSignOut = context.req.method === "POST" && context.req.path === "/logout";
  if (isSigningOut && !isSignOut) {
    await revokeSession(db, token).catch((error: unknown) =>
      logFailure(log, error, "sign-out", { request: id }),
    );
    setCookies.push(buildExpiredSessionCookie(config));
    return null;
  }
  const session = await findActor(db, token);
  if (!session) return null;
  const { actor, extendsTo, needsSeenUpdate } = session;
  try {
    if (needsSeenUpdate) await recordSessionUse(db, actor.sessionId);
    if (extendsTo) {
      await extendSession(db, actor.sessionId, extendsTo);
      setCookies.push(buildSessionCookie(config, { token, expiresAt: extendsTo }));
    }
  } catch (error) {
    // Reading still works on a full disk, so a failed write must not block the request.
    logFailure(log, error, "session use not recorded", { request: id });
  }
  return { ...actor, isProved: actor.isProved || config.signInAgain === "off" };
}

/**
 * Lists the `Set-Cookie` headers of the response: those of the screens, and the toasts that were not shown yet. A
 * response that neither showed nor added toasts does not touch their cookie, because it could arrive after the
 * response that showed them and bring them back.
 */
export function listCookiesToSet(context: Context<Env>, config: Config): string[] {
  const { setCookies, toasts: pending, shownToasts } = context.get("facts");
  const toasts = isRedirect(context.res.status) ? [...shownToasts, ...pending] : pending;
  const carried = readCookie(toastCookie, context.req.header("cookie"), config);
  const cookieValue = toasts.length > 0 ? encodeToasts(toasts) : null;
  if (cookieValue === carried) return setCookies;
  const cookie =
    cookieValue === null
      ? expireCookie(toastCookie, config)
      : setCookie(toastCookie, cookieValue, 60, config);
  return [...setCookies, cookie];
}

/** The router sends 202 to its own client instead of a redirect. */
function isRedirect(status: number): boolean {
  return status === 202 || (status >= 300 && status < 400 && status !== 304);
}

function getClientAddress(context: Context, trustedProxies: BlockList): string {
  const peer = normalizeIpAddress(getConnInfo(context).remote.address ?? "unknown");
  const isTrusted = (address: string) =>
    trustedProxies.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  if (!isTrusted(peer)) return peer;
  const hops = (context.req.header("x-forwarded-for") ?? "").split(",").map(normalizeIpAddress);
  return hops.findLast((hop) => hop && !isTrusted(hop)) ?? peer;
}

/**
 * Removes the IPv6 prefix that a dual-stack socket adds to IPv4 addresses, and the port that some proxies append.
 * An IPv6 address with a port is in brackets.
 */
function normalizeIpAddress(address: string): string {
  return address
    .trim()
    .replace(/^\[(.+)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3")
    .replace(/^::ffff:(?=\d+\.)/i, "");
}

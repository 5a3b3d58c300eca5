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

/** The facts about a client that every handler has. */
export type Asker = { facts: RequestFacts; actor: Actor | null };

/** `route` is set where the pattern of a route does not tell what answers. */
export type Env = { Variables: Asker & { route: string | undefined } };

/** Answers a request at our origin with a screen of `app/routes.ts`, as it is for who asks. */
export type RenderScreen = (request: Request, asker: Asker) => Promise<Response>;

/** Gathers the facts of a request: an id, the client's address, waiting toasts. */
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
 * Finds out who is asking, from the session cookie, and moves the session's end once a day. A session
 * that its browser has left is ended here.
 */
export async function findRequestActor(
  context: Context<Env>,
  { config, db, log }: AppContext,
): Promise<Actor | null> {
  const cookies = context.req.header("cookie") ?? null;
  const token = readSessionToken(config, cookies);
  const leaving = readCookie(leavingCookie, cookies, config) !== null;
  const { setCookies, id } = context.get("facts");
  if (leaving) setCookies.push(expireCookie(leavingCookie, config));
  if (!token) return null;
  // The sign-out itself ends the session, and says how that went.
  const isSignOut = context.req.method === "POST" && context.req.path === "/logout";
  if (leaving && !isSignOut) {
    await revokeSession(db, token).catch((error: unknown) =>
      logFailure(log, error, "sign-out", { request: id }),
    );
    setCookies.push(buildExpiredSessionCookie(config));
    return null;
  }
  const found = await findActor(db, token);
  if (!found) return null;
  const { actor, extendsTo, needsSeenUpdate } = found;
  try {
    if (needsSeenUpdate) await recordSessionUse(db, actor.sessionId);
    if (extendsTo) {
      await extendSession(db, actor.sessionId, extendsTo);
      setCookies.push(buildSessionCookie(config, { token, expiresAt: extendsTo }));
    }
  } catch (error) {
    // On a full disk much can still be read.
    logFailure(log, error, "session not noted", { request: id });
  }
  return { ...actor, isProved: actor.isProved || config.signInAgain === "off" };
}

/**
 * The `Set-Cookie` headers of the answer: those of the screens, and the toasts not yet shown. An answer
 * that neither showed nor raised any leaves their cookie alone: where it overtakes, or is overtaken by,
 * the one that showed them, it would bring them back.
 */
export function listCookiesToSet(context: Context<Env>, config: Config): string[] {
  const { setCookies, toasts: waiting, shownToasts } = context.get("facts");
  const toasts = isRedirect(context.res.status) ? [...shownToasts, ...waiting] : waiting;
  const carried = readCookie(toastCookie, context.req.header("cookie"), config);
  const due = toasts.length > 0 ? encodeToasts(toasts) : null;
  if (due === carried) return setCookies;
  const cookie =
    due === null ? expireCookie(toastCookie, config) : setCookie(toastCookie, due, 60, config);
  return [...setCookies, cookie];
}

/** The router answers its own client with 202 where a browser gets a redirect. */
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
 * A socket for both kinds of addresses writes an IPv4 one as a part of IPv6. Some proxies write the client's
 * port behind its address, an IPv6 one in brackets then.
 */
function normalizeIpAddress(written: string): string {
  return written
    .trim()
    .replace(/^\[(.+)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3")
    .replace(/^::ffff:(?=\d+\.)/i, "");
}

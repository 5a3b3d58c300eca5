import { parse, serialize } from "hono/utils/cookie";
import type { Config } from "./config.server.ts";

/** A cookie of ours, for the server and the browser alike. It goes to this site only (SameSite=Lax). */
export type Cookie = {
  name: string;
  /** Where it is sent to; everywhere unless given. */
  path?: string;
  /** Our scripts set it too, where every other is out of their reach. */
  isForScripts?: boolean;
  isSecure?: boolean;
};

type Site = Pick<Config, "origin">;

/**
 * A cookie that is bound to this host. On https the browser binds it by its name. On loopback http the
 * name has the port of the address, since cookies ignore ports and Safari drops secure cookies there.
 */
export function hostCookie({ origin }: Site, name: string): Cookie {
  const { protocol, port } = new URL(origin);
  const isSecure = protocol === "https:";
  return { name: isSecure ? `__Host-${name}` : `${name}-${port || 80}`, isSecure };
}

/** What sets the cookie: a `Set-Cookie` header, or the text that a script gives to `document.cookie`. */
export function setCookie(cookie: Cookie, value: string, seconds: number): string {
  const { name, path = "/", isForScripts = false, isSecure = false } = cookie;
  return serialize(name, value, {
    path,
    maxAge: seconds,
    httpOnly: !isForScripts,
    secure: isSecure,
    sameSite: "Lax",
  });
}

/** The `Set-Cookie` header that takes the cookie away. */
export function endCookie(cookie: Cookie): string {
  return setCookie(cookie, "", 0);
}

/** What the cookie holds, out of a request's `Cookie` header or `document.cookie`; null without it. */
export function readCookie({ name }: Cookie, cookies: string | null | undefined): string | null {
  return parse(cookies ?? "", name)[name] ?? null;
}

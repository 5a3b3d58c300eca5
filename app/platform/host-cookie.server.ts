import { parse, serialize } from "hono/utils/cookie";
import type { Config } from "./config.server.ts";

type Site = Pick<Config, "origin" | "port">;

/**
 * A cookie's full name. On https the browser binds it to the host. On loopback http it names the port,
 * since cookies ignore ports and Safari drops secure cookies there.
 */
export function hostCookieName(site: Site, name: string): string {
  return isSecure(site) ? `__Host-${name}` : `${name}-${site.port}`;
}

/** What the cookie holds, out of a request's `Cookie` header; null where there is none. */
export function readHostCookie(site: Site, name: string, header: string | null): string | null {
  const fullName = hostCookieName(site, name);
  return parse(header ?? "", fullName)[fullName] ?? null;
}

/** The `Set-Cookie` header of a cookie that no script can read; 0 seconds take it away. */
export function setHostCookie(site: Site, name: string, value: string, seconds: number): string {
  return serialize(hostCookieName(site, name), value, {
    path: "/",
    maxAge: seconds,
    httpOnly: true,
    secure: isSecure(site),
    sameSite: "Lax",
  });
}

function isSecure({ origin }: Site): boolean {
  return origin.startsWith("https:");
}

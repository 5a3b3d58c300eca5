import { parse, serialize } from "hono/utils/cookie";

/**
 * A cookie of ours, for the server and the browser alike. It goes to this site only (SameSite=Lax), and
 * on https is bound to this host by its name, which no other host of the domain can set.
 */
export type Cookie = {
  name: string;
  /** Our scripts set it too, where every other is out of their reach. */
  isForScripts?: boolean;
  /** On loopback its name has the port of the address, since cookies ignore ports. */
  isOfPort?: boolean;
};

/** The site of a cookie: the settings on the server, `location` in the browser. */
export type Site = { origin: string };

/** The name under which a browser keeps it. Safari drops secure cookies on loopback http. */
export function getCookieName({ name, isOfPort }: Cookie, { origin }: Site): string {
  if (isSecure({ origin })) return `__Host-${name}`;
  return isOfPort ? `${name}-${new URL(origin).port || 80}` : name;
}

/** Formats the cookie: for a `Set-Cookie` header, or for `document.cookie`. */
export function setCookie(cookie: Cookie, value: string, seconds: number, site: Site): string {
  return serialize(getCookieName(cookie, site), value, {
    path: "/",
    maxAge: seconds,
    httpOnly: !cookie.isForScripts,
    secure: isSecure(site),
    sameSite: "Lax",
  });
}

function isSecure({ origin }: Site): boolean {
  return origin.startsWith("https:");
}

/** The `Set-Cookie` header that takes the cookie away. */
export function expireCookie(cookie: Cookie, site: Site): string {
  return setCookie(cookie, "", 0, site);
}

/** Reads a cookie from a request's `Cookie` header or from `document.cookie`; null without it. */
export function readCookie(
  cookie: Cookie,
  cookies: string | null | undefined,
  site: Site,
): string | null {
  const name = getCookieName(cookie, site);
  return parse(cookies ?? "", name)[name] ?? null;
}

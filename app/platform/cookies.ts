/**
 * A cookie for the server and the browser. It is sent only to this site (SameSite=Lax). On https its name binds it to
 * this host, so that no other host of the domain can set it.
 */
export type Cookie = {
  name: string;
  /** True if scripts may read and set it. */
  isForScripts?: boolean;
  /** True if its name contains the port on loopback, since cookies ignore ports. */
  isOfPort?: boolean;
};

/** The site of a cookie: the settings on the server, `location` in the browser. */
export type Site = { origin: string };

/** Returns the cookie's name in the browser. Safari drops secure cookies on loopback http. */
export function getCookieName({ name, isOfPort }: Cookie, { origin }: Site): string {
  if (isSecure({ origin })) return `__Host-${name}`;
  return isOfPort ? `${name}-${new URL(origin).port || 80}` : name;
}

/** Formats the cookie: for a `Set-Cookie` header, or for `document.cookie`. */
export function setCookie(cookie: Cookie, value: string, seconds: number, site: Site): string {
  return [
    `${getCookieName(cookie, site)}=${encodeURIComponent(value)}`,
    `Max-Age=${seconds}`,
    "Path=/",
    !cookie.isForScripts && "HttpOnly",
    isSecure(site) && "Secure",
    "SameSite=Lax",
  ]
    .filter(Boolean)
    .join("; ");
}

function isSecure({ origin }: Site): boolean {
  return origin.startsWith("https:");
}

/** Formats the `Set-Cookie` header that deletes the cookie. */
export function expireCookie(cookie: Cookie, site: Site): string {
  return setCookie(cookie, "", 0, site);
}

/** Returns a cookie's value from a `Cookie` header or `document.cookie`, or null. */
export function readCookie(
  cookie: Cookie,
  cookies: string | null | undefined,
  site: Site,
): string | null {
  const beginning = `${getCookieName(cookie, site)}=`;
  const pair = (cookies ?? "").split(/; ?/).find((one) => one.startsWith(beginning));
  return pair === undefined ? null : decodeValue(pair.slice(beginning.length));
}

/** Returns null for a malformed value, since anyone can send one. */
function decodeValue(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

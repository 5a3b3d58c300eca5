/** Addresses that programs ask or forms are sent to: nothing there is to be looked at. */
const noScreens =
  /^\/(theme|session|logout|reset-password\/check|uploads|payu-webhook|livez|healthz|readyz)(\/|$)/;

/**
 * The path of a screen of this product, or of a file, out of something that came from outside, such
 * as `?next=`.
 *
 * @returns the path with its query, or null for what is no screen or could lead to another site.
 */
export function parseOwnPath(candidate: unknown): string | null {
  if (typeof candidate !== "string" || candidate.length > 2000) return null;
  // Browsers read "\" as "/" and drop control characters, so "/\evil" and "/\t/evil" are foreign.
  if (!candidate.startsWith("/") || /[\\\u0000-\u001f\u007f]/.test(candidate)) return null;
  const base = "http://own.invalid";
  const url = URL.canParse(candidate, base) ? new URL(candidate, base) : null;
  if (!url || url.origin !== base || url.pathname.startsWith("//")) return null;
  if (noScreens.test(url.pathname)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

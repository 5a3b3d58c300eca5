/** Addresses for programs and forms, which are not screens. */
const noScreens =
  /^\/(theme|session|logout|reset-password\/check|uploads|payu-webhook|livez|healthz|readyz)(\/|$)/;

/**
 * Parses the path of a screen or file of this product from untrusted input such as `?next=`.
 *
 * @returns the path with its query and fragment, or null if it is not a screen or could lead to another site
 */
export function parseOwnPath(candidate: unknown): string | null {
  if (typeof candidate !== "string" || candidate.length > 2000) return null;
  // Browsers read "\" as "/" and drop control characters, so "/\evil" and "/\t/evil" lead to other sites.
  if (!candidate.startsWith("/") || /[\\\u0000-\u001f\u007f]/.test(candidate)) return null;
  const base = "http://own.invalid";
  const url = URL.canParse(candidate, base) ? new URL(candidate, base) : null;
  if (!url || url.origin !== base || url.pathname.startsWith("//")) return null;
  if (noScreens.test(url.pathname)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

import type { Register } from "react-router";

/** The patterns of all routes, such as "/jobs/:jobId". */
type Pattern = Extract<keyof (Register extends { pages: infer Pages } ? Pages : never), string>;

/** A pattern with its parameters filled in. Only the last one may be optional. */
type Fill<Path extends string> = Path extends `${infer Before}/:${string}/${infer After}`
  ? `${Before}/${string}/${Fill<After>}`
  : Path extends `${infer Before}/:${string}?`
    ? Before | `${Before}/${string}`
    : Path extends `${infer Before}/:${string}`
      ? `${Before}/${string}`
      : Path;

type Bare = Fill<Exclude<Pattern, `${string}*`>>;

/** A path of this product, with a query and a fragment if need be. A renamed route makes old paths type errors. */
export type OwnPath = Bare | `${Bare}${"?" | "#"}${string}`;

/** The address of a link: a path, or another query or fragment on the same screen; "." removes both. */
export type OwnAddress = OwnPath | "" | "." | `${"?" | "#"}${string}`;

/** Addresses for programs and forms, which are not screens. */
const noScreens =
  /^\/(theme|session|logout|reset-password\/check|uploads|payu-webhook|livez|healthz|readyz)(\/|$)/;

/**
 * Parses the path of a screen or file of this product from untrusted input such as `?next=`.
 *
 * @returns the path with its query and fragment, or null if it is not a screen or could lead to another site
 */
export function parseOwnPath(candidate: unknown): OwnPath | null {
  if (typeof candidate !== "string" || candidate.length > 2000) return null;
  // Browsers read "\" as "/" and drop control characters, so "/\evil" and "/\t/evil" lead to other sites.
  if (!candidate.startsWith("/") || /[\\\u0000-\u001f\u007f]/.test(candidate)) return null;
  const base = "http://own.invalid";
  const url = URL.canParse(candidate, base) ? new URL(candidate, base) : null;
  if (!url || url.origin !== base || url.pathname.startsWith("//")) return null;
  if (noScreens.test(url.pathname)) return null;
  return `${url.pathname}${url.search}${url.hash}` as OwnPath;
}

/** Adds the path that a person goes on to from a screen, such as "/jobs" after logging in; null adds nothing. */
export function addNext(path: Bare, next: OwnPath | null): OwnPath {
  return next ? `${path}?next=${encodeURIComponent(next)}` : path;
}

/** Returns the path and query of a URL that a route has matched. */
export function getOwnPath({
  pathname,
  search = "",
}: {
  pathname: string;
  search?: string;
}): OwnPath {
  return `${pathname}${search}` as OwnPath;
}

import type { OwnPath } from "../../platform/own-path.ts";

/** Returns the address that scripts send changes of remarks to. Its saves are announced to other tabs under it. */
export function getRemarksAddress(reviewId: string): OwnPath {
  return `/reviewer/submission/${reviewId}/remarks`;
}

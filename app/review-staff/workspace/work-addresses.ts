/** Returns the address that scripts send changes of remarks to. Its saves are announced to other tabs under it. */
export function getRemarksAddress(reviewId: string): string {
  return `/reviewer/submission/${reviewId}/remarks`;
}

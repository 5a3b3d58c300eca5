/** "Profile - Naksha"; without a page, the product's name alone. */
export function pageTitle(product: { name: string }, page?: string): string {
  return page ? `${page} - ${product.name}` : product.name;
}

type Matches = readonly ({ loaderData?: unknown } | undefined)[];

/**
 * The same for a screen's `meta`, which finds the product in the root's data:
 * `export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Profile")`.
 */
export function titled(matches: Matches, page?: string) {
  const root = matches[0]?.loaderData as { product?: { name: string } } | undefined;
  return [{ title: root?.product ? pageTitle(root.product, page) : page }];
}

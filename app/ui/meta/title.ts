import type { Product } from "../../platform/config.server.ts";

/** "Profile - Naksha"; without a page, the product's name alone. */
export function pageTitle(product: { name: string }, page?: string): string {
  return page ? `${page} - ${product.name}` : product.name;
}

export type Matches = readonly ({ loaderData?: unknown } | undefined)[];

/**
 * The same for a screen's `meta`, which finds the product in the root's data:
 * `export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Profile")`.
 *
 * Such a screen is nobody's but the reader's: search engines leave it out. Pages for everybody use
 * `published` instead.
 */
export function titled(matches: Matches, page?: string) {
  const product = rootData(matches)?.product;
  return [
    { title: product ? pageTitle(product, page) : page },
    { name: "robots", content: "noindex" },
  ];
}

/** What the root's data tells every screen; nothing when even that could not be read. */
export function rootData(matches: Matches) {
  return matches[0]?.loaderData as { product: Pick<Product, "name">; origin: string } | undefined;
}

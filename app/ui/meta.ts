import type { Product } from "../platform/config.server.ts";

/** A page for everybody, as search engines and the previews of shared links show it. */
export type PublicPage = {
  /** Its one address under the origin. */
  path: string;
  title: string;
  description: string;
  card: SocialCard;
  /** The day that the page gives as the date of its text, as "2025-05-01". */
  dated?: string;
};

/** The `handle` that the route of a public screen exports, where the server finds it. */
export type PublicScreen = {
  /** Its entry in the sitemap, with its preview image; null where each view of the screen is a page. */
  page: PublicPage | null;
  /** The same for every visitor, but for the theme: it is cached rendered. */
  isCached: boolean;
  /** The same for all who are signed in, but for the frame around it: it is rendered once for them. */
  isShared?: boolean;
};

/**
 * The `meta` of a page for everybody: title, description, the one address under which it should be
 * known, and what a shared link shows.
 *
 * @param isListed false for one of many views of a page, which search engines only follow.
 * @param address where it differs from the path that names the image, as for a filtered list.
 */
export function buildPublicMeta(
  matches: Matches,
  { path, title, description, card }: PublicPage,
  { isListed = true, address = path }: { isListed?: boolean; address?: string } = {},
) {
  const root = getRootData(matches);
  if (!root) return [{ title }, { name: "description", content: description }];
  const { origin, product } = root;
  const url = origin + address;
  const image = {
    url: origin + getSocialImagePath(path, card, product.name),
    alt: describeSocialCard(card),
  };
  return [
    { title: formatPageTitle(product, title) },
    { name: "description", content: description },
    { tagName: "link" as const, rel: "canonical", href: url },
    ...(isListed ? [] : [{ name: "robots", content: "noindex, follow" }]),
    { property: "og:site_name", content: product.name },
    { property: "og:locale", content: "en_IN" },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: image.url },
    { property: "og:image:type", content: "image/png" },
    { property: "og:image:width", content: String(socialImageSize.width) },
    { property: "og:image:height", content: String(socialImageSize.height) },
    { property: "og:image:alt", content: image.alt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: image.url },
    { name: "twitter:image:alt", content: image.alt },
  ];
}

/** The text of the preview image for a shared link. It never contains a contact. */
export type SocialCard = {
  /** A word or two over the headline. */
  eyebrow: string;
  headline: string;
  /** Short lines under the headline. */
  facts: string[];
  /** A place on the map, as the board writes it. */
  coordinates?: readonly [string, string] | null;
};

export const socialImageSize = { width: 1200, height: 630 };

/** To be raised when the drawing changes, so that every image gets a new address. */
const drawing = 1;

/**
 * The path of a page's image. It carries a version of what is drawn, so that a changed page has
 * another address and the old one may be cached for ever.
 */
export function getSocialImagePath(page: string, card: SocialCard, productName: string): string {
  const file = page === "/" ? "/home" : page;
  return `/social${file}.png?v=${hashSocialCard(card, productName)}`;
}

/** Changes with everything that the image shows; the same in a browser and on the server. */
export function hashSocialCard(card: SocialCard, productName: string): string {
  return hashText(
    JSON.stringify([
      drawing,
      productName,
      card.eyebrow,
      card.headline,
      card.facts,
      card.coordinates ?? null,
    ]),
  );
}

/** Describes the preview image for people who cannot see it. */
function describeSocialCard({ eyebrow, headline, facts }: SocialCard): string {
  return [headline, ...facts, eyebrow].join(", ");
}

/** FNV-1a in 64 bits: a name for a text, not a protection. */
function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36);
}

/** "Profile - Naksha"; without a page, the product's name alone. */
function formatPageTitle(product: { name: string }, page?: string): string {
  return page ? `${page} - ${product.name}` : product.name;
}

type Matches = readonly ({ loaderData?: unknown } | undefined)[];

/**
 * Builds the title and robots tags of a private screen for `meta`, with the product's name from the root's
 * data: `export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Profile")`. Search
 * engines leave such screens out. Public pages use `buildPublicMeta` instead.
 */
export function buildPrivateMeta(matches: Matches, page?: string) {
  const product = getRootData(matches)?.product;
  return [
    { title: product ? formatPageTitle(product, page) : page },
    { name: "robots", content: "noindex" },
  ];
}

/** Returns the root's data for any screen; undefined when it could not be read. */
export function getRootData(matches: Matches) {
  return matches[0]?.loaderData as { product: Pick<Product, "name">; origin: string } | undefined;
}

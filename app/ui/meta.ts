import type { Product, ReviewPrices } from "../platform/config.server.ts";
import type { OwnPath } from "../platform/own-path.ts";

/** A public page, as shown by search engines and link previews. */
export type PublicPage = {
  /** Its canonical address under the origin. */
  path: OwnPath;
  title: string;
  description: string;
  card: SocialCard;
  /** The date of its text, such as "2025-05-01". */
  dated?: string;
};

/** The `handle` that the route of a public screen exports for the server. */
export type PublicScreen = {
  /**
   * Its entry in the sitemap and its preview image, built from the prices if it names them. Null if each view of the
   * screen is a page.
   */
  page: PublicPage | ((prices: ReviewPrices) => PublicPage) | null;
  /** True if the rendered page is cached, since it differs only by theme between visitors. */
  isCached: boolean;
  /** True if the page is rendered once for all signed-in people, since only its frame differs. */
  isShared?: boolean;
};

/**
 * Builds the `meta` of a public page: title, description, canonical address and link preview.
 *
 * @param isListed false for one of many views of a page, which search engines follow but don't list
 * @param address the address if it differs from the path, as for a filtered list
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

/** The text of a link's preview image. It never contains a contact. */
export type SocialCard = {
  /** A word or two above the headline. */
  eyebrow: string;
  headline: string;
  /** Short lines under the headline. */
  facts: string[];
  /** A place on the map, formatted as on the job board. */
  coordinates?: readonly [string, string] | null;
  /** True to draw the example review's page with its pins beside the text. */
  hasPlate?: boolean;
};

export const socialImageSize = { width: 1200, height: 630 };

/** Increase this when the drawing changes, so that every image gets a new address. */
const drawing = 2;

/** Returns the path of a page's image, with a hash of its content so that it can be cached forever. */
export function getSocialImagePath(page: string, card: SocialCard, productName: string): string {
  const file = page === "/" ? "/home" : page;
  return `/social${file}.png?v=${hashSocialCard(card, productName)}`;
}

/** Hashes everything that the image shows. The browser and the server get the same hash. */
export function hashSocialCard(card: SocialCard, productName: string): string {
  return hashText(
    JSON.stringify([
      drawing,
      productName,
      card.eyebrow,
      card.headline,
      card.facts,
      card.coordinates ?? null,
      card.hasPlate,
    ]),
  );
}

/** Describes the preview image for people who can't see it. */
function describeSocialCard({ eyebrow, headline, facts }: SocialCard): string {
  return [headline, ...facts, eyebrow].join(", ");
}

/** FNV-1a with 64 bits. It identifies a text and is not cryptographic. */
function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36);
}

/** "Profile - Naksha", or only the product's name without a page. */
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

/** Returns the root's data, or undefined if it couldn't be loaded. */
function getRootData(matches: Matches) {
  return matches[0]?.loaderData as { product: Pick<Product, "name">; origin: string } | undefined;
}

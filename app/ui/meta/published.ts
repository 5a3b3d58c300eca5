import { cardInWords, type SocialCard, socialImagePath, socialImageSize } from "./social-card.ts";
import { type Matches, pageTitle, rootData } from "./title.ts";

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

/**
 * The `meta` of a page for everybody: title, description, the one address under which it should be
 * known, and what a shared link shows.
 *
 * @param isListed false for one of many views of a page, which search engines only follow.
 * @param address where it differs from the path that names the image, as for a filtered list.
 */
export function published(
  matches: Matches,
  { path, title, description, card }: PublicPage,
  { isListed = true, address = path }: { isListed?: boolean; address?: string } = {},
) {
  const root = rootData(matches);
  if (!root) return [{ title }, { name: "description", content: description }];
  const { origin, product } = root;
  const url = origin + address;
  const image = {
    url: origin + socialImagePath(path, card, product.name),
    alt: cardInWords(card),
  };
  return [
    { title: pageTitle(product, title) },
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

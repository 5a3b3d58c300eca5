/** What the image says that stands beside a shared link. It never holds a contact. */
export type SocialCard = {
  /** A word or two over the headline. */
  kicker: string;
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
 * another address and the old one may be kept for ever.
 */
export function socialImagePath(page: string, card: SocialCard, productName: string): string {
  const file = page === "/" ? "/home" : page;
  return `/social${file}.png?v=${cardVersion(card, productName)}`;
}

/** Changes with everything that the image shows; the same in a browser and on the server. */
export function cardVersion(card: SocialCard, productName: string): string {
  return shortHash(
    JSON.stringify([
      drawing,
      productName,
      card.kicker,
      card.headline,
      card.facts,
      card.coordinates ?? null,
    ]),
  );
}

/** What the image says, for those who cannot see it. */
export function cardInWords({ kicker, headline, facts }: SocialCard): string {
  return [headline, ...facts, kicker].join(", ");
}

/** FNV-1a in 64 bits: a name for a text, not a protection. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36);
}

import { toSearchForm } from "../../platform/text/text.ts";

/** A city, state or country that a listing can name. */
export type Place = {
  /**
   * Never changes. The GeoNames id of a city, the ISO 3166-1 number of a country (1 to 999), or 1,000 to 9,999 for a
   * state. All are below 90,000,000, and 0 is {@link anywhere}.
   */
  id: number;
  kind: PlaceKind;
  /** Today's name in English, such as "Bengaluru". */
  name: string;
  /** The name in addresses, such as "pune". Unique. */
  slug: string;
  /** The state of a city if it is known, otherwise its country. Null for a country. */
  parent: number | null;
  /** ISO 3166-1, two letters. */
  country: string;
  /** Degrees; negative in the south. Null for states and countries. */
  north: number | null;
  /** Degrees; negative in the west. Null for states and countries. */
  east: number | null;
};

export const placeKinds = ["city", "state", "country"] as const;
type PlaceKind = (typeof placeKinds)[number];

/** India's code. */
export const india = "IN";

/** The id for work from any place. No place has it. */
export const anywhere = 0;

/**
 * Returns the form in which names of places are compared. It ignores case, accents, punctuation and repeated spaces:
 * "U.A.E." gives "uae", and "São Paulo" gives "sao paulo".
 */
export function toPlaceKey(name: string): string {
  return toSearchForm(name)
    .replace(/[łøđıß]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replaceAll("&", " and ")
    .replace(/['.]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

const plainLetters: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss" };

/** Formats degrees as on a map: ["18.52° N", "73.86° E"] */
export function formatPlaceCoordinates(north: number, east: number): [string, string] {
  return [formatDegrees(north, "N", "S"), formatDegrees(east, "E", "W")];
}

function formatDegrees(degrees: number, positive: string, negative: string): string {
  return `${Math.abs(degrees).toFixed(2)}° ${degrees < 0 ? negative : positive}`;
}

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
export type PlaceKind = (typeof placeKinds)[number];

/** The id for work from any place. No place has it. */
export const anywhere = 0;

import { cleanLine } from "../../platform/text/text.ts";
import { companyNames, regions, wordNames } from "./ambiguous.server.ts";
import { allPlaces, placesByKey, setsByKey } from "./find-places.server.ts";
import { india, type Place, toPlaceKey } from "./rules.ts";

/**
 * A name in the free text of a location. `isApart` marks a separate choice. A name after a comma or bracket belongs to
 * the previous one.
 */
export type FoundName = PlaceName & { isApart: boolean };

type PlaceName =
  /** The candidates, the most likely first. `set` has all places of a name such as "NCR". */
  | { kind: "place"; candidates: readonly Place[]; set: readonly Place[] | null }
  | { kind: "region"; name: string }
  | { kind: "unknown"; name: string };

/** Words that are not place names. */
const fillers = new Set(
  (
    "fully full only first friendly possible preferred preferably optional allowed ok okay available flexible hybrid " +
    "flexibility work working job position role from home within inside across all over throughout any the city " +
    "cities town location locations multiple various several other more pan on site onsite in office offices hq " +
    "headquarters studio based area region metro not no non partly partially partial occasional occasionally some " +
    "sometimes semi is one two three four five six day days week weeks a per at of to with for mode style model " +
    "contract freelance internship relocation travel tbd tba na percent"
  ).split(" "),
);

/** With these words, a name belongs to a street or a building: "Jordan Road". */
const streetWords =
  /\b(?:road|rd|street|st|marg|lane|nagar|colony|house|towers?|complex|building|plaza|mall|park|garden|gardens)\b/i;

const choices =
  /\s(?:or|and(?! (?:nicobar|kashmir|nagar haveli|daman|diu|barbuda|herzegovina|nevis|the grenadines|principe|tobago|caicos|futuna|miquelon|jan mayen)\b))\s|[/|&+;•·]/i;

/** Finds the names of places in a location such as "Koramangala office, Bengaluru", in their order. */
export function findPlaceNames(location: string): FoundName[] {
  const text = cleanLine(location)
    .normalize("NFKC")
    .replace(/\bj ?& ?k\b/gi, "Jammu and Kashmir")
    .replace(/\b(\p{L})\.(?=\p{L}\b)/gu, "$1");
  return text.split(choices).flatMap((choice) =>
    choice
      .split(/[,()[\]:\n–—]|\s-\s/)
      .flatMap(findNamesInSegment)
      .map((name, index) => ({ ...name, isApart: index === 0 })),
  );
}

const maxNameWords = 8;

/** Finds the known names in a segment. A segment without any is one unknown name. */
function findNamesInSegment(segment: string): PlaceName[] {
  const words = segment.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];
  const isStreet = streetWords.test(segment);
  const matches: { name: PlaceName; key: string }[] = [];
  const others: string[] = [];
  for (let index = 0; index < words.length;) {
    const match = findLongestName(words.slice(index, index + maxNameWords), isStreet);
    if (match) matches.push(match);
    else others.push(words[index]!);
    index += match?.length ?? 1;
  }
  const hasOthers = others.some((word) => !isFiller(word));
  const names = matches.filter(({ name, key }) => !hasOthers || isProminent(name, key));
  if (names.length > 0) return names.map(({ name }) => name);
  return listUnknown(words);
}

function listUnknown(words: string[]): PlaceName[] {
  const first = words.findIndex((word) => !isFiller(word));
  if (first < 0) return [];
  const last = words.findLastIndex((word) => !isFiller(word));
  return [{ kind: "unknown", name: words.slice(first, last + 1).join(" ") }];
}

function isFiller(word: string): boolean {
  return fillers.has(word.toLowerCase()) || !/\p{L}/u.test(word);
}

function findLongestName(words: string[], isStreet: boolean) {
  for (let length = words.length; length > 0; length--) {
    const key = toPlaceKey(words.slice(0, length).join(" "));
    const name = findKnownName(key, isStreet);
    if (name) return { name, key, length };
  }
  return null;
}

const regionsByKey = new Map(regions.map((name) => [toPlaceKey(name), name]));

/** In the name of a street, only places in India count. */
function findKnownName(key: string, isStreet: boolean): PlaceName | null {
  const set = setsByKey.get(key);
  if (set) return { kind: "place", candidates: set.slice(0, 1), set };
  const candidates = placesByKey.get(key);
  if (candidates && !companyNames.has(key) && (!isStreet || candidates[0]!.country === india))
    return { kind: "place", candidates, set: null };
  const region = regionsByKey.get(key);
  return region && !isStreet ? { kind: "region", name: region } : null;
}

const prominentCities = 100;
const minProminentLength = 5;
const prominent = new Set(
  allPlaces
    .filter(({ kind, country }) => kind === "city" && country === india)
    .slice(0, prominentCities),
);

/** Checks whether a name counts beside other words, as in "Whitefield Bengaluru". Small cities are often also words. */
function isProminent(name: PlaceName, key: string): boolean {
  if (name.kind !== "place") return true;
  const place = name.candidates[0]!;
  if (wordNames.has(key)) return false;
  if (place.kind !== "city") return true;
  return place.country === india ? prominent.has(place) : key.length >= minProminentLength;
}

import { cleanText } from "../../platform/text/text.ts";
import { placesByKey, setsByKey } from "./find-places.server.ts";
import { isCityElsewhere } from "./ambiguous.server.ts";
import { findPlaceAddresses, isWithin } from "./find-addresses.server.ts";
import { formatPlaceCoordinates, type Place, toPlaceKey } from "./rules.ts";

/**
 * Parses a typed list such as "Pune, Bangalore / Delhi NCR". A state or country after a city belongs to it: "Pune,
 * Maharashtra, India" is one place, and "Mumbai, Singapore" are two.
 *
 * @returns the places in their order, each once, and the parts that name no known place
 */
export function parsePlaceList(text: string): { places: Place[]; unknown: string[] } {
  const found: Found[] = [];
  for (const choice of splitChoices(text)) {
    let isApart = true;
    for (const piece of splitPieces(choice)) {
      if (piece.isApart) isApart = true;
      addPiece(found, piece, isApart);
      isApart = false;
    }
  }
  const places = found.flatMap((one) =>
    one.unknown ? [] : (one.set ?? one.candidates.slice(0, 1)),
  );
  const unknown = found.flatMap((one) => one.unknown ?? []);
  return { places: [...new Set(places)], unknown: [...new Set(unknown)] };
}

/**
 * Lists the known places in a location, in their order: the city of each address, otherwise its state or country.
 */
export function listPlacesIn(location: string): Place[] {
  const { addresses } = findPlaceAddresses(location);
  const found = addresses.flatMap(({ city, state, country, set }) => {
    if (set) return set;
    const place = typeof city === "string" || !city ? (state ?? country) : city;
    return place ?? [];
  });
  return [...new Set(found)];
}

/** Finds the coordinates of the first city in a location such as "Pune, hybrid". */
export function findFirstCity(location: string): { north: number; east: number } | null {
  for (const { north, east } of listPlacesIn(location))
    if (north !== null && east !== null) return { north, east };
  return null;
}

/** Finds the coordinates of the first city, formatted as on a map. */
export function findCoordinates(location: string): [string, string] | null {
  const city = findFirstCity(location);
  return city && formatPlaceCoordinates(city.north, city.east);
}

/** A name in the list. `unknown` has the text of one that names no known place. */
type Found = {
  text: string;
  candidates: readonly Place[];
  set?: readonly Place[] | undefined;
  unknown?: string;
};

type Piece = { text: string; isApart: boolean };

function splitChoices(text: string): string[] {
  return cleanText(text)
    .normalize("NFKC")
    .replace(/\bdelhi\s*\/\s*ncr\b/gi, "Delhi NCR")
    .split(/[;/|\n\t•·]/);
}

/** Splits at commas and brackets, and at "or" and "and" unless they are a part of a name. */
function splitPieces(choice: string): Piece[] {
  const parts = choice
    .split(/,(?![^(]*\))/)
    .flatMap((part) => (isKnownPlace(part) ? [part] : part.split(/[,()[\]]/)))
    .map((part) => part.replace(/\b\d{6}\b/g, "").trim());
  return joinCommaNames(parts.filter((part) => toPlaceKey(part))).flatMap(splitConnected);
}

/** Joins parts of one name: "Washington, D.C." */
function joinCommaNames(parts: string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const both = `${last}, ${part}`;
    if (last !== undefined && !isKnownPlace(part) && isKnownPlace(both)) joined.splice(-1, 1, both);
    else joined.push(part);
  }
  return joined;
}

/** "Dadra and Nagar Haveli and Daman and Diu" has four parts and three times "and". */
const longestConnected = 7;

function splitConnected(part: string): Piece[] {
  const words = part.split(/\s+(or|and|&|\+)\s+/i);
  const pieces: Piece[] = [];
  for (let start = 0; start < words.length;) {
    let end = Math.min(words.length, start + longestConnected);
    while (end > start + 1 && !isKnownPlace(words.slice(start, end).join(" "))) end -= 2;
    pieces.push({ text: words.slice(start, end).join(" "), isApart: start > 0 });
    start = end + 1;
  }
  return pieces;
}

function isKnownPlace(name: string): boolean {
  const key = toPlaceKey(name);
  return placesByKey.has(key) || setsByKey.has(key);
}

function addPiece(found: Found[], { text }: Piece, isApart: boolean): void {
  const key = toPlaceKey(text);
  const set = setsByKey.get(key);
  const candidates = set ?? placesByKey.get(key);
  if (!candidates) {
    found.push({ text, candidates: [], unknown: text });
    return;
  }
  const last = isApart ? undefined : found.at(-1);
  if (last && !set && joinWithLast(last, text, candidates)) return;
  found.push({ text, candidates, set });
}

/** Adds a state, a country or a city to the place before it. Returns whether they are one place. */
function joinWithLast(last: Found, text: string, candidates: readonly Place[]): boolean {
  if (last.unknown) return false;
  if (last.set) return last.set.every((place) => isWithin(place, candidates));
  const within = last.candidates.filter((place) => isWithin(place, candidates));
  if (within.length > 0) {
    last.candidates = within;
    return true;
  }
  const [place, next] = [last.candidates[0]!, candidates[0]!];
  if (place.kind === "city" && next.kind === "country" && isCityElsewhere(place, next.country)) {
    last.unknown = `${last.text}, ${text}`;
    return true;
  }
  const inside = candidates.filter((candidate) => isWithin(candidate, last.candidates));
  if (place.kind === "city" || inside.length === 0) return false;
  last.candidates = inside;
  return true;
}

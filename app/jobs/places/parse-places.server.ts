import { cleanText } from "../../platform/text/text.ts";
import { placesByKey, setsByKey } from "./find-places.server.ts";
import { cityStates, isCityElsewhere } from "./ambiguous.server.ts";
import { findPlaceAddresses, isWithin, type PlaceConflict } from "./find-addresses.server.ts";
import { formatPlaceCoordinates, type Place, toPlaceKey } from "./rules.ts";

type PlaceList = {
  /** In their order, each once. */
  places: Place[];
  /** The parts that name no known place. */
  unknown: string[];
  /** Parts that don't fit together. Their places are left out. */
  conflicts: PlaceConflict[];
};

/**
 * Parses a typed list such as "Pune, Bangalore / Delhi NCR". A state or country after a city belongs to it: "Pune,
 * Maharashtra, India" is one place, "Mumbai, Singapore" are two, and "Pune, Karnataka" don't fit together.
 */
export function parsePlaceList(text: string): PlaceList {
  const matches: Found[] = [];
  for (const choice of splitChoices(text)) {
    let first = matches.length;
    for (const piece of splitPieces(choice)) {
      if (piece.isApart) first = matches.length;
      addPiece(matches, piece, first);
    }
  }
  const places = matches.flatMap((one) =>
    one.unknown || one.conflict ? [] : (one.set ?? one.candidates.slice(0, 1)),
  );
  const unknown = matches.flatMap((one) => one.unknown ?? []);
  const conflicts = matches.flatMap((one) => (one.conflict ? [one.conflict] : []));
  return { places: [...new Set(places)], unknown: [...new Set(unknown)], conflicts };
}

/**
 * Lists the known places in a location, in their order: the city of each address, otherwise its state or country.
 */
export function listPlacesIn(location: string): Place[] {
  const { addresses } = findPlaceAddresses(location);
  const ids = addresses.flatMap(({ city, state, country, set, conflict }) => {
    if (conflict) return [];
    if (set) return set;
    const place = typeof city === "string" || !city ? (state ?? country) : city;
    return place ?? [];
  });
  return [...new Set(ids)];
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
  conflict?: PlaceConflict;
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
const maxConnected = 7;

function splitConnected(part: string): Piece[] {
  const words = part.split(/\s+(or|and|&|\+)\s+/i);
  const pieces: Piece[] = [];
  for (let start = 0; start < words.length;) {
    let end = Math.min(words.length, start + maxConnected);
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

/** @param first the index of the first name of the same choice */
function addPiece(matches: Found[], { text }: Piece, first: number): void {
  const key = toPlaceKey(text);
  const set = setsByKey.get(key);
  const candidates = set ?? placesByKey.get(key);
  if (!candidates) {
    matches.push({ text, candidates: [], unknown: text });
    return;
  }
  if (joinWithOthers(matches.slice(first), { text, candidates, set })) return;
  matches.push({ text, candidates, set });
}

/** Adds a place to those before it in the same choice. Returns false for one more place of a list. */
function joinWithOthers(others: Found[], next: Found): boolean {
  const last = others.at(-1);
  if (!last || last.unknown) return false;
  if (last.conflict) return true;
  if (next.set) return joinSet(others, last, next.set);
  if (last.set) return joinPartOfSet(last, next);
  const within = last.candidates.filter((place) => isWithin(place, next.candidates));
  if (within.length > 0) {
    last.candidates = within;
    return true;
  }
  const [place, added] = [last.candidates[0]!, next.candidates[0]!];
  if (place.kind === "city" && added.kind === "country" && isCityElsewhere(place, added.country)) {
    last.unknown = `${last.text}, ${next.text}`;
    return true;
  }
  const inside = next.candidates.filter((candidate) => isWithin(candidate, last.candidates));
  if (place.kind !== "city" && inside.length > 0) {
    last.candidates = inside;
    return true;
  }
  if (toKind(place) === toKind(added) || isCity(added)) {
    return !isCity(place) && isCity(added) && addConflict(last, next);
  }
  return hasPlaceIn(others, next.candidates) || addConflict(last, next);
}

/** A set beside one of its places adds nothing: "Gurugram, Delhi NCR". */
function joinSet(others: Found[], last: Found, set: readonly Place[]): boolean {
  if (others.some(({ candidates }) => set.includes(candidates[0]!))) return true;
  const inside = set.filter((place) => isWithin(place, last.candidates));
  if (isCity(last.candidates[0]!) || inside.length === 0) return false;
  Object.assign(last, { candidates: inside, set: inside });
  return true;
}

/** Keeps those places of a set that a city, state or country names: "Delhi NCR, Noida". */
function joinPartOfSet(last: Found, next: Found): boolean {
  const [set, added] = [last.set!, next.candidates[0]!];
  if (set.includes(added)) {
    Object.assign(last, { candidates: [added], set: undefined });
    return true;
  }
  const within = set.filter((place) => isWithin(place, next.candidates));
  if (within.length > 0) {
    Object.assign(last, { candidates: within, set: within });
    return true;
  }
  return !isCity(added) && set.every(isCity) && addConflict(last, next);
}

/** A country that is also a city counts as one: "Mumbai, Singapore". */
function toKind({ kind, country }: Place): Place["kind"] {
  return kind === "country" && cityStates.has(country) ? "city" : kind;
}

function isCity(place: Place): boolean {
  return toKind(place) === "city";
}

function hasPlaceIn(others: Found[], areas: readonly Place[]): boolean {
  return others.some(({ candidates }) => candidates[0] && isWithin(candidates[0], areas));
}

function addConflict(last: Found, next: Found): true {
  last.conflict = [last.text, next.text];
  return true;
}

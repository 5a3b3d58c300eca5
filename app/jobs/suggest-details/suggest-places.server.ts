import { type WorkMode } from "../details.ts";
import { detailLimits } from "../detail-limits.ts";
import { findPlaceAddresses, type PlaceConflict } from "../places/find-addresses.server.ts";
import { placesByKey, setsByKey } from "../places/find-places.server.ts";
import { anywhere, india, type Place, toPlaceKey } from "../places/rules.ts";
import type { Proposal } from "./proposals.ts";

/**
 * Proposes the known places of a location. For remote work, countries and states are where applicants may live. A
 * city can be where they live or where the company is, so it gives nothing.
 */
export function suggestPlaces(location: string, mode: WorkMode | null): Proposal[] {
  return mode === "remote" ? suggestApplicantPlaces(location) : suggestWorkPlaces(location);
}

/** Finds two names in a location that don't fit together, as in "Pune, Karnataka". */
export function findPlaceConflict(location: string): PlaceConflict | null {
  const { addresses } = findPlaceAddresses(removeOtherWords(location));
  return addresses.find(({ conflict }) => conflict)?.conflict ?? null;
}

/** Checks whether all known places of a location are outside India, or unclear. */
export function isAbroad(location: string): boolean {
  const { addresses, regions } = findPlaceAddresses(removeOtherWords(location));
  if (addresses.some(({ conflict, country }) => conflict && !country)) return true;
  const countries = addresses.flatMap(({ country }) => country?.country ?? []);
  return countries.length > 0 ? !countries.includes(india) : regions.length > 0;
}

function suggestWorkPlaces(location: string): Proposal[] {
  const { addresses } = findPlaceAddresses(removeOtherWords(location));
  const cities = addresses.flatMap(({ city, set }) => (set ? [] : (city ?? [])));
  const places = addresses.flatMap(({ city, state, country, set, conflict }) => {
    if (conflict || set?.some((one) => cities.includes(one))) return [];
    // A set such as "NCR" means one of its places, and usually the first.
    const place = set?.[0] ?? (typeof city === "string" ? (state ?? country) : city) ?? state;
    return place ?? country ?? [];
  });
  return [...new Set(places)].slice(0, detailLimits.places).flatMap((place) => {
    const quote = findPlaceName(location, place);
    const values = { placeIds: [place.id] };
    return quote ? [{ key: `place-${place.id}`, values, quote }] : [];
  });
}

const worldwide =
  /\b(?:worldwide|globally|(?<!\bwork(?:ing)?[ -]from[ -])anywhere(?: in the world)?(?! (?:in|within|across)\b))\b/i;
/** With these, a place is not simply where applicants may live. */
const unclear =
  /\b(?:hq|headquarter\w*|head office|based|offices?|except|excluding|outside|not|prefer\w*)\b/i;

function suggestApplicantPlaces(location: string): Proposal[] {
  if (unclear.test(location)) return [];
  const { addresses, regions } = findPlaceAddresses(removeOtherWords(location));
  const world = worldwide.exec(location);
  if (world && addresses.length === 0 && regions.length === 0) {
    const [start, end] = [world.index, world.index + world[0].length];
    const values = { applicantPlaceIds: [anywhere] };
    return [{ key: `applicant-${anywhere}`, values, quote: { from: "location", start, end } }];
  }
  if (world || regions.length > 0) return [];
  if (addresses.some(({ city, set, conflict }) => city || set || conflict)) return [];
  const areas = addresses.flatMap(({ state, country }) => state ?? country ?? []);
  return [...new Set(areas)].slice(0, detailLimits.places).flatMap((place) => {
    const quote = findPlaceName(location, place);
    const values = { applicantPlaceIds: [place.id] };
    return quote ? [{ key: `applicant-${place.id}`, values, quote }] : [];
  });
}

const otherWords = new RegExp(
  [
    String.raw`\b(?:hybrid|fully|remote(?:ly)?|wfh|wfo|w\.f\.h|work(?:ing)?[ -]from[ -](?:home|anywhere|(?:the )?office)|anywhere(?: in the world)?|worldwide|globally)\b`,
    String.raw`\b[\p{L}.]+[ -]+(?:time[ -]?zones?|hours|timings?|shifts?|clients?|based (?:company|client|startup))\b`,
  ].join("|"),
  "giu",
);

/** Replaces words about the work mode and the hours with blanks, as in "Remote, US hours". */
function removeOtherWords(location: string): string {
  return location.replace(otherWords, (words) => ",".padEnd(words.length));
}

const maxNameWords = 6;

/** Finds the longest part of a location that names a place. */
function findPlaceName(location: string, place: Place): Proposal["quote"] | null {
  const words = [...location.matchAll(/[\p{L}\p{M}\p{N}'’.&]+/gu)];
  for (let length = maxNameWords; length > 0; length--)
    for (const [index, { index: start }] of words.entries()) {
      const last = words[index + length - 1];
      if (!last) break;
      const end = last.index + last[0].length;
      if (isNameOf(location.slice(start, end), place)) return { from: "location", start, end };
    }
  return null;
}

function isNameOf(name: string, place: Place): boolean {
  const key = toPlaceKey(name);
  return Boolean(placesByKey.get(key)?.includes(place) ?? setsByKey.get(key)?.includes(place));
}

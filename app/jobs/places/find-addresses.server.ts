import { cityStates, isCityElsewhere } from "./ambiguous.server.ts";
import { findPlaceNames, type FoundName } from "./find-names.server.ts";
import { getCountry, listPlaceAncestors } from "./find-places.server.ts";
import type { Place } from "./rules.ts";

/** An address in the free text of a location, with its known parts. */
export type FoundAddress = {
  /** A known city, or the name of an unknown one. */
  city: Place | string | null;
  state: Place | null;
  /** Null if the text has no place but this unknown one. */
  country: Place | null;
  /** The places of a name such as "NCR". */
  set: readonly Place[] | null;
};

/**
 * Finds the addresses in a location such as "Bengaluru / London" or "Dubai, UAE".
 *
 * @returns the addresses, and the regions of several countries, such as "Europe"
 */
export function findPlaceAddresses(location: string): {
  addresses: FoundAddress[];
  regions: string[];
} {
  const names = findPlaceNames(location);
  const drafts: Draft[] = [];
  for (const name of names) {
    const last = name.isApart ? undefined : drafts.at(-1);
    const added = toDraft(name, last);
    if (added) drafts.push(added);
  }
  return {
    addresses: drafts.map(toFoundAddress),
    regions: names.flatMap((name) => (name.kind === "region" ? name.name : [])),
  };
}

type Draft = {
  /** The cities of that name, the most likely first. */
  cities?: readonly Place[];
  cityName?: string;
  state?: Place;
  /** The code of the country. */
  country?: string;
  set?: readonly Place[] | null;
  /** True for an unknown name without a known place beside it. */
  isGuess?: boolean;
};

function toFoundAddress({ cities, cityName, state, country, set = null }: Draft): FoundAddress {
  return {
    city: cities?.[0] ?? cityName ?? null,
    state: state ?? null,
    country: country === undefined ? null : getCountry(country),
    set,
  };
}

/** Adds a name to the previous address and returns null, or returns it as a separate address. */
function toDraft(found: FoundName, last: Draft | undefined): Draft | null {
  if (found.kind === "region") return null;
  if (found.kind === "unknown") return last ? null : { cityName: found.name, isGuess: true };
  const { candidates, set } = found;
  const [place] = candidates;
  if (place!.kind === "country") return addCountry(place!.country, last);
  if (place!.kind === "state") return addState(place!, last);
  return addCity(candidates, set, last);
}

function addCity(
  candidates: readonly Place[],
  set: readonly Place[] | null,
  last: Draft | undefined,
): Draft | null {
  if (last?.cities?.some((city) => isWithin(city, candidates))) return null;
  const within = last ? candidates.filter((city) => canBelong(city, last)) : [];
  if (last && !last.cities && within.length > 0)
    return extendDraft(last, { cities: within, country: within[0]!.country, set });
  return { cities: candidates, country: candidates[0]!.country, set };
}

/** Checks whether a city can belong to an address without one. */
function canBelong(city: Place, { isGuess, state, country }: Draft): boolean {
  if (isGuess) return true;
  return state ? listPlaceAncestors(city.id).includes(state.id) : city.country === country;
}

/** Checks whether one of the areas contains a place, as Delhi contains New Delhi. */
export function isWithin(city: Place, areas: readonly Place[]): boolean {
  const above = listPlaceAncestors(city.id).slice(1);
  return areas.some(({ id }) => above.includes(id));
}

function addState(state: Place, last: Draft | undefined): Draft | null {
  const separate = { state, country: state.country };
  if (!last || last.state) return separate;
  if (last.isGuess) return extendDraft(last, separate);
  if (!last.cities) return last.country === state.country ? extendDraft(last, separate) : separate;
  const cities = last.cities.filter(({ id }) => listPlaceAncestors(id).includes(state.id));
  return cities.length > 0 ? extendDraft(last, { ...separate, cities }) : separate;
}

function addCountry(code: string, last: Draft | undefined): Draft | null {
  if (last && !last.cities && !last.isGuess)
    return last.country === code ? null : describeCountry(code);
  if (!last) return describeCountry(code);
  const cities = last.cities?.filter(({ country }) => country === code) ?? [];
  if (cities.length > 0) return extendDraft(last, { cities, country: code });
  if (last.isGuess) return extendDraft(last, { country: code });
  const [city] = last.cities!;
  if (!isCityElsewhere(city!, code)) return describeCountry(code);
  Object.assign(last, { cities: undefined, cityName: city!.name, state: undefined, country: code });
  return null;
}

function describeCountry(code: string): Draft {
  const country = getCountry(code);
  return cityStates.has(code) ? { cities: [country], country: code } : { country: code };
}

function extendDraft(draft: Draft, facts: Draft): null {
  Object.assign(draft, facts, { isGuess: false });
  return null;
}

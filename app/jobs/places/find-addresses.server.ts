import {
  cityStates,
  isCityElsewhere,
  largerCities,
  namedStates,
  regionsWithIndia,
} from "./ambiguous.server.ts";
import { findPlaceNames, type FoundName } from "./find-names.server.ts";
import { getCountry, listPlaceAncestors } from "./find-places.server.ts";
import { india, type Place } from "./rules.ts";

/** An address in the free text of a location, with its known parts. */
export type FoundAddress = {
  /** A known city, or the name of an unknown one. */
  city: Place | string | null;
  state: Place | null;
  /** Null if the text has no place but this unknown one. */
  country: Place | null;
  /** The places of a name such as "NCR". */
  set: readonly Place[] | null;
  /** Two names that don't fit together, as in "Pune, Karnataka". Then only a country of both is known. */
  conflict?: PlaceConflict;
};

/** The names of two places of which neither is in the other. */
export type PlaceConflict = readonly [string, string];

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
  let first = 0;
  for (const name of names) {
    if (name.isApart) first = drafts.length;
    const added = toDraft(name, drafts.slice(first));
    if (added) drafts.push(added);
  }
  return {
    addresses: drafts.map(toFoundAddress),
    regions: names.flatMap((name) => (name.kind === "region" ? name.name : [])),
  };
}

type Draft = {
  /** The cities of that name, the most likely first. */
  cities?: readonly Place[] | undefined;
  cityName?: string | undefined;
  state?: Place | undefined;
  /** The code of the country. */
  country?: string | undefined;
  set?: readonly Place[] | null;
  /** True for an unknown name without a known place beside it. */
  isGuess?: boolean;
  conflict?: PlaceConflict;
};

function toFoundAddress({ cities, cityName, state, country, set = null, conflict }: Draft) {
  return {
    city: cities?.[0] ?? cityName ?? null,
    state: state ?? null,
    country: country === undefined ? null : getCountry(country),
    set,
    ...(conflict && { conflict }),
  };
}

/**
 * Adds a name to the previous address and returns null, or returns it as a separate address.
 *
 * @param beside the addresses before it in the same choice
 */
function toDraft(name: FoundName, beside: Draft[]): Draft | null {
  const last = beside.at(-1);
  if (last?.conflict) return null;
  if (name.kind === "region") return addRegion(name.name, last);
  if (name.kind === "unknown") return last ? null : { cityName: name.name, isGuess: true };
  const { candidates, set } = name;
  const [place] = candidates;
  if (place!.kind === "country") return addCountry(place!.country, beside);
  if (place!.kind === "state") return addState(place!, beside);
  return set ? addSet(set, beside) : addCity(candidates, last);
}

/** A region beside a city or state elsewhere doesn't fit. */
function addRegion(name: string, last: Draft | undefined): null {
  const isPlace = last?.country === india && (last.cities ?? last.state);
  return isPlace && !regionsWithIndia.has(name) ? setConflict(last, name, null) : null;
}

function addCity(candidates: readonly Place[], last: Draft | undefined): Draft | null {
  const separate = { cities: candidates, country: candidates[0]!.country };
  if (!last) return separate;
  const inSet = last.set?.filter((city) => candidates.includes(city)) ?? [];
  if (inSet.length > 0) return extendDraft(last, { cities: inSet, set: null });
  if (last.cities?.some((city) => isWithin(city, candidates) || isBeside(city, candidates)))
    return null;
  if (last.cities) return separate;
  const within = candidates.filter((city) => canBelong(city, last));
  if (within.length > 0) return extendDraft(last, { cities: within, country: within[0]!.country });
  const { name, country } = candidates[0]!;
  return last.cityName === undefined ? setConflict(last, name, country) : separate;
}

/** A set beside one of its cities adds nothing: "Gurugram, Delhi NCR". */
function addSet(set: readonly Place[], beside: Draft[]): Draft | null {
  const last = beside.at(-1);
  const isNamed = beside.some(
    ({ cities, set: other }) => !other && cities?.some((city) => set.includes(city)),
  );
  if (isNamed) return null;
  const within = last && !last.cities ? set.filter((city) => canBelong(city, last)) : [];
  const separate = { cities: set.slice(0, 1), country: set[0]!.country, set };
  if (!last || within.length === 0) return separate;
  return extendDraft(last, { ...separate, cities: within.slice(0, 1), set: within });
}

/** Checks whether a city can belong to an address without one. */
function canBelong(city: Place, { isGuess, state, country }: Draft): boolean {
  if (isGuess) return true;
  return state ? listPlaceAncestors(city.id).includes(state.id) : city.country === country;
}

/** Checks whether one of the areas contains a place, as Delhi contains New Delhi. */
export function isWithin(city: Place, areas: readonly Place[]): boolean {
  const above = listPlaceAncestors(city.id).slice(1);
  return areas.some(({ id, slug }) => above.includes(id) || namedStates[city.slug]?.includes(slug));
}

/** Checks for a city beside a larger one. */
function isBeside(city: Place, others: readonly Place[]): boolean {
  return others.some(({ slug }) => largerCities[city.slug] === slug);
}

function addState(state: Place, beside: Draft[]): Draft | null {
  const last = beside.at(-1);
  const separate = { state, country: state.country };
  if (!last) return separate;
  if (last.isGuess) return extendDraft(last, separate);
  if (last.set && last.set.length > 1) return selectFromSet(last, [state]);
  if (!last.cities) {
    if (last.state) return separate;
    return last.country === state.country
      ? extendDraft(last, separate)
      : setConflict(last, state.name, state.country);
  }
  const cities = last.state ? [] : last.cities.filter((city) => isWithin(city, [state]));
  const isIn = cities.some(({ id }) => listPlaceAncestors(id).includes(state.id));
  if (cities.length > 0) return extendDraft(last, { ...(isIn && separate), cities });
  if (last.state === state || hasCityIn(beside, [state])) return null;
  return last.set ? separate : setConflict(last, state.name, state.country);
}

/** Checks whether a known city of the choice is in one of the areas. */
function hasCityIn(beside: Draft[], areas: readonly Place[]): boolean {
  return beside.some(({ cities = [] }) => cities.some((city) => isWithin(city, areas)));
}

/** Keeps those places of a set that are in one of the areas: those of "Delhi NCR, Haryana". */
function selectFromSet(last: Draft, areas: readonly Place[]): null {
  const set = last.set!.filter((city) => isWithin(city, areas));
  const [area] = areas;
  if (set.length === 0) return setConflict(last, area!.name, area!.country);
  if (set.length === last.set!.length) return null;
  return extendDraft(last, { cities: undefined, set: null, state: area, country: area!.country });
}

function addCountry(code: string, beside: Draft[]): Draft | null {
  const last = beside.at(-1);
  if (!last) return describeCountry(code);
  const country = getCountry(code);
  if (!last.cities && !last.isGuess) {
    if (last.country === code) return null;
    const isArea = last.state ?? last.cityName;
    return isArea ? setConflict(last, country.name, code) : describeCountry(code);
  }
  const cities = last.cities?.filter((city) => city.country === code) ?? [];
  if (cities.length > 0) return extendDraft(last, { cities, country: code });
  if (last.isGuess) return extendDraft(last, { country: code });
  const city = last.cities![0]!;
  if (cityStates.has(code) || city.kind === "country") return describeCountry(code);
  if (hasCityIn(beside, [country])) return null;
  if (!isCityElsewhere(city, code)) return setConflict(last, country.name, code);
  return extendDraft(last, {
    cities: undefined,
    cityName: city.name,
    state: undefined,
    country: code,
  });
}

function describeCountry(code: string): Draft {
  const country = getCountry(code);
  return cityStates.has(code) ? { cities: [country], country: code } : { country: code };
}

function extendDraft(draft: Draft, facts: Draft): null {
  Object.assign(draft, facts, { isGuess: false });
  return null;
}

/** Keeps only what both names agree on: their country. */
function setConflict(last: Draft, name: string, country: string | null): null {
  const { cities, cityName, state, country: code } = last;
  const own = cities?.[0]?.name ?? cityName ?? state?.name ?? getCountry(code!).name;
  Object.assign(last, {
    cities: undefined,
    cityName: undefined,
    state: undefined,
    set: null,
    country: code === country ? code : undefined,
    conflict: [own, name],
  });
  return null;
}

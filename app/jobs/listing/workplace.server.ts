import { normalizeLine } from "../contact/parse-contact.ts";
import { findPlaceAddresses, type FoundAddress } from "../places/find-addresses.server.ts";
import { getCountry } from "../places/find-places.server.ts";
import { india } from "../places/rules.ts";

/** A place of work, with its known parts. */
export type WorkAddress = {
  city?: string;
  state?: string;
  /** ISO 3166-1, two letters. */
  country: string;
};

/** An area where a remote worker may live. */
export type HomeArea = { kind: "country" | "state" | "city" | "region"; name: string };

export type Workplace = {
  /** Empty for a job without an office, or if its country is unknown. */
  addresses: WorkAddress[];
  isRemote: boolean;
  /** Empty for work that isn't remote, or if the names of places don't fit together. */
  homes: HomeArea[];
};

/**
 * Parses a location such as "Bengaluru / Remote", "Hybrid, Pune", "Remote, Europe" or "Dubai, UAE". An unknown
 * place counts as one in India, since the board is for India, unless the text names a country or region with it.
 * Partly remote work counts as office work, as Google's documentation of `jobLocationType` requires.
 */
export function parseWorkplace(location: string): Workplace {
  const plain = normalizeLine(location).replace(workingHours, " ");
  const isRemote = remote.test(plain) && !notRemote.test(plain);
  const { addresses, regions } = findPlaceAddresses(plain.replace(remoteEverywhere, ","));
  const located = addresses.filter(({ country }) => country !== null);
  const isUnclear = addresses.some(({ conflict, country }) => conflict && !country);
  if (isRemote) {
    const offices = located.filter(({ city }) => city !== null);
    return {
      addresses: listDistinctAddresses(offices),
      isRemote,
      homes: isUnclear ? [] : listHomes(located, regions),
    };
  }
  // A location without any name counts as India. Names that don't fit together are no place.
  const guesses =
    isUnclear || regions.length > 0 ? [] : addresses.length > 0 ? addresses : [nowhere];
  return {
    addresses: listDistinctAddresses(located.length > 0 ? removeSetsOfCities(located) : guesses),
    isRemote,
    homes: [],
  };
}

const nowhere: FoundAddress = { city: null, state: null, country: null, set: null };

const remote =
  /\b(?:remote|remotely|wfh|w\.f\.h|wfa|telecommut\w*|telework\w*|anywhere|worldwide|home[ -]?based|home[ -]?office|work(?:ing)?[ -]+from[ -]+(?:home|anywhere))\b|^\W*(?:home|global|globally|virtual|distributed)\W*$/i;
const remoteEverywhere = new RegExp(remote.source, "gi");

/** Matches work that is not remote, or remote on some days only. */
const notRemote =
  /\bhybrid\b|\b(?:no|not|non|never|partly|partially|partial|occasional|occasionally|some|semi)[ -]+(?:fully[ -]+)?(?:remote|wfh|work[ -]+from[ -]+home)|\b(?:remote|wfh|work[ -]+from[ -]+home)[ -]+(?:is )?(?:not|sometimes|occasionally)\b|\b(?:[1-4]|one|two|three|four|some)[ -]?days?\b/i;

/** Matches working hours and clients, which may be in another country: "remote, US hours". */
const workingHours =
  /\b[\p{L}.]+[ -]+(?:time[ -]?zones?|hours?|time|timings?|shifts?|clients?|based (?:company|client|startup))\b|\b(?:utc|gmt|ist|cet|est|pst)\b(?: ?[+-] ?\d+(?::\d+)?)?/giu;

/** Removes a set beside one of its cities, as in "Gurugram / Delhi NCR". */
function removeSetsOfCities(located: FoundAddress[]): FoundAddress[] {
  const cities = located.flatMap(({ city, set }) => (set ? [] : (city ?? [])));
  return located.filter(({ set }) => !set?.some((city) => cities.includes(city)));
}

function toWorkAddress({ city, state, country }: FoundAddress): WorkAddress {
  const name = typeof city === "string" ? city : city?.name;
  return {
    ...(name && { city: name }),
    ...(state && { state: getStateName(state.name) }),
    country: country?.country ?? india,
  };
}

/** Removes the addition that distinguishes a union territory from its city. */
export function getStateName(name: string): string {
  return name.replace(/ UT$/, "");
}

function listDistinctAddresses(places: FoundAddress[]): WorkAddress[] {
  const addresses = places.map(toWorkAddress);
  return [...new Map(addresses.map((address) => [JSON.stringify(address), address])).values()];
}

/** Lists states if only states are known; otherwise countries and regions; India if nothing is known. */
function listHomes(located: FoundAddress[], areas: string[]): HomeArea[] {
  const states = located.flatMap(({ city, state, country }) =>
    !city && state && country ? [{ state, country }] : [],
  );
  if (located.length > 0 && states.length === located.length)
    return states.map(({ state, country }) => ({
      kind: "state",
      name: `${getStateName(state.name)}, ${country.name}`,
    }));
  const countries = new Set(located.map(({ country }) => (country ?? getCountry(india)).name));
  const homes: HomeArea[] = [
    ...[...countries].map((name) => ({ kind: "country", name }) as const),
    ...areas.map((name) => ({ kind: "region", name }) as const),
  ];
  return homes.length > 0 ? homes : [{ kind: "country", name: getCountry(india).name }];
}

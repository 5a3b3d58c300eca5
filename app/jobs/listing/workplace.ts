/** Parses the place of work from the free text of a location. Pure and safe for the browser. */
import { normalizeLine } from "../contact.ts";
import {
  cities,
  citiesAbroad,
  cityAliases,
  countryAliases,
  countryNames,
  regions,
  stateAliases,
  states,
  statesAbroad,
} from "./place-names.ts";

/** A place of work, with its known parts. */
export type WorkAddress = {
  city?: string;
  state?: string;
  /** ISO 3166-1, two letters. */
  country: string;
};

/** An area where a remote worker may live. */
export type HomeArea = { kind: "country" | "state" | "region"; name: string };

export type Workplace = {
  /** Empty for a job without an office, or if its country is unknown. */
  addresses: WorkAddress[];
  isRemote: boolean;
  /** Only for remote work. */
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
  const tokens = parseTokens(plain.replace(remoteEverywhere, ","));
  const found = joinAddresses(tokens);
  const areas = tokens.filter(({ kind }) => kind === "region").map(({ name }) => name);
  const known = found.filter(({ isGuess }) => !isGuess);
  if (isRemote) {
    const offices = known.filter(({ city }) => city !== undefined);
    return { addresses: listDistinctAddresses(offices), isRemote, homes: listHomes(known, areas) };
  }
  // A location without any name counts as India.
  const guesses = areas.length > 0 ? [] : found.length > 0 ? found : [{}];
  return {
    addresses: listDistinctAddresses(known.length > 0 ? known : guesses),
    isRemote,
    homes: [],
  };
}

const india = "IN";

const remote =
  /\b(?:remote|remotely|wfh|w\.f\.h|wfa|telecommut\w*|telework\w*|anywhere|worldwide|home[ -]?based|home[ -]?office|work(?:ing)?[ -]+from[ -]+(?:home|anywhere))\b|^\W*(?:home|global|globally|virtual|distributed)\W*$/i;
const remoteEverywhere = new RegExp(remote.source, "gi");

/** Matches work that is not remote, or remote on some days only. */
const notRemote =
  /\bhybrid\b|\b(?:no|not|non|never|partly|partially|partial|occasional|occasionally|some|semi)[ -]+(?:fully[ -]+)?(?:remote|wfh|work[ -]+from[ -]+home)|\b(?:remote|wfh|work[ -]+from[ -]+home)[ -]+(?:is )?(?:not|sometimes|occasionally)\b|\b(?:[1-4]|one|two|three|four|some)[ -]?days?\b/i;

/** Matches working hours and clients, which may be in another country: "remote, US hours". */
const workingHours =
  /\b[\p{L}.]+[ -]+(?:time[ -]?zones?|hours?|time|timings?|shifts?|clients?|based (?:company|client|startup))\b|\b(?:utc|gmt|ist|cet|est|pst)\b(?: ?[+-] ?\d+(?::\d+)?)?/giu;

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

type Place =
  | { kind: "city" | "state"; name: string; country: string }
  | { kind: "country" | "region" | "unknown"; name: string; country?: undefined };

/** `isApart` marks a separate choice. A place after a comma or bracket belongs to the previous one. */
type Token = Place & { isApart: boolean };

const choices =
  /\s(?:or|and(?! (?:nicobar|kashmir|nagar haveli|diu|barbuda|herzegovina|nevis|the grenadines|principe|tobago)\b))\s|[/|&+;•·]/i;

function parseTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const choice of text.replace(/\bj ?& ?k\b/gi, "Jammu and Kashmir").split(choices)) {
    const places = choice.split(/[,()[\]:\n–—]|\s-\s/).flatMap(parsePlaces);
    tokens.push(...places.map((place, index) => ({ ...place, isApart: index === 0 })));
  }
  return tokens;
}

const longestName = 5;

/** Finds the known names in a segment. A segment without any is one unknown place. */
function parsePlaces(segment: string): Place[] {
  const words = segment.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];
  const names = streetWords.test(segment) ? getIndianPlaces() : getAllPlaces();
  const found: Place[] = [];
  for (let index = 0; index < words.length;) {
    const match = findLongestMatch(names, words.slice(index, index + longestName));
    if (match) found.push(match.place);
    index += match?.length ?? 1;
  }
  const isFiller = (word: string) => fillers.has(word.toLowerCase()) || !/\p{L}/u.test(word);
  const first = words.findIndex((word) => !isFiller(word));
  if (found.length > 0 || first < 0) return found;
  const last = words.findLastIndex((word) => !isFiller(word));
  return [{ kind: "unknown", name: words.slice(first, last + 1).join(" ") }];
}

function findLongestMatch(names: ReadonlyMap<string, Place>, words: string[]) {
  for (let length = words.length; length > 0; length--) {
    const place = names.get(words.slice(0, length).join(" ").toLowerCase());
    if (place) return { place, length };
  }
  return null;
}

let indianPlaces: ReadonlyMap<string, Place> | undefined;
let allPlaces: ReadonlyMap<string, Place> | undefined;

/** Built on first use. */
function getIndianPlaces(): ReadonlyMap<string, Place> {
  indianPlaces ??= new Map<string, Place>([
    ...cities.map((name) => [name.toLowerCase(), { kind: "city", name, country: india }] as const),
    ...Object.entries(cityAliases).map(
      ([alias, name]) => [alias, { kind: "city", name, country: india }] as const,
    ),
    ...states.map((name) => [name.toLowerCase(), { kind: "state", name, country: india }] as const),
    ...Object.entries(stateAliases).map(
      ([alias, name]) => [alias, { kind: "state", name, country: india }] as const,
    ),
    ["india", { kind: "country", name: india }],
  ]);
  return indianPlaces;
}

function getAllPlaces(): ReadonlyMap<string, Place> {
  allPlaces ??= new Map<string, Place>([
    ...regions.map((name) => [name.toLowerCase(), { kind: "region", name }] as const),
    ...listPlaceEntries(citiesAbroad, (name, country) => ({
      kind: "city",
      name: capitalizeWords(name),
      country,
    })),
    ...listPlaceEntries(statesAbroad, (name, country) => ({
      kind: "state",
      name: capitalizeWords(name),
      country,
    })),
    ...listPlaceEntries(countryAliases, (_name, country) => ({ kind: "country", name: country })),
    ...[...countryNames].map(
      ([code, name]) =>
        [name.toLowerCase().replaceAll("-", " "), { kind: "country", name: code }] as const,
    ),
    ...getIndianPlaces(),
  ]);
  return allPlaces;
}

function listPlaceEntries(
  lists: ReadonlyMap<string, readonly string[]>,
  make: (name: string, country: string) => Place,
): [string, Place][] {
  return [...lists].flatMap(([country, names]) =>
    names.map((name): [string, Place] => [name, make(name, country)]),
  );
}

function capitalizeWords(name: string): string {
  return name.replace(/(^| )\p{L}/gu, (start) => start.toUpperCase());
}

type FoundAddress = {
  city?: string | undefined;
  state?: string;
  country?: string;
  /** True for an unknown name without a country beside it. */
  isGuess?: boolean;
};

function joinAddresses(tokens: Token[]): FoundAddress[] {
  const addresses: FoundAddress[] = [];
  for (const token of tokens) {
    const last = token.isApart ? undefined : addresses.at(-1);
    const added = toFoundAddress(token, last);
    if (added) addresses.push(added);
  }
  return addresses;
}

/** Adds a place to the previous address and returns null, or returns it as a separate address. */
function toFoundAddress(token: Token, last: FoundAddress | undefined): FoundAddress | null {
  const { kind, name, country } = token;
  if (kind === "region") return null;
  if (kind === "unknown") return last ? null : { city: name, isGuess: true };
  if (kind === "country") return addCountry(name, last);
  const isWithin = last && (last.isGuess || last.country === country);
  if (kind === "city" && last && isWithin && (last.isGuess || !last.city))
    return extendAddress(last, { city: name, country });
  if (kind === "state" && last && isWithin && !last.state)
    return extendAddress(last, { state: name, country });
  return kind === "city" ? { city: name, country } : { state: name, country };
}

function extendAddress(address: FoundAddress, facts: FoundAddress): null {
  Object.assign(address, facts, { isGuess: false });
  return null;
}

/** Indian city names that also exist in the country named with them. */
const sharedNames = new Set(["Hyderabad PK", "Salem US", "Delhi CA", "Delhi US"]);

/** Countries that are also cities: "Mumbai, Singapore" are two places. */
const cityStates = new Set(["SG", "HK", "MO", "MC"]);

function addCountry(code: string, last: FoundAddress | undefined): FoundAddress | null {
  const isSame = last?.country === code;
  const isCorrection =
    last?.city !== undefined &&
    (last.isGuess ||
      sharedNames.has(`${last.city} ${code}`) ||
      (last.country !== india && code !== india && !cityStates.has(code)));
  if (last && (isSame || isCorrection)) return extendAddress(last, { country: code });
  const city = cityStates.has(code) ? countryNames.get(code) : undefined;
  return { ...(city && { city }), country: code };
}

function listDistinctAddresses(found: FoundAddress[]): WorkAddress[] {
  const addresses = found.map(({ city, state, country = india }) => ({
    ...(city && { city }),
    ...(state && { state }),
    country,
  }));
  return [...new Map(addresses.map((address) => [JSON.stringify(address), address])).values()];
}

/** Lists states if only states are known; otherwise countries and regions; India if nothing is known. */
function listHomes(known: FoundAddress[], areas: string[]): HomeArea[] {
  if (known.length > 0 && known.every(({ city, state }) => !city && state))
    return known.map(({ state, country }) => ({
      kind: "state",
      name: `${state}, ${countryNames.get(country ?? india)}`,
    }));
  const countries = new Set(known.map(({ country = india }) => countryNames.get(country)!));
  const homes: HomeArea[] = [
    ...[...countries].map((name) => ({ kind: "country", name }) as const),
    ...areas.map((name) => ({ kind: "region", name }) as const),
  ];
  return homes.length > 0 ? homes : [{ kind: "country", name: countryNames.get(india)! }];
}

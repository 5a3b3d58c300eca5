/** Reads where a job is done out of the free text of its location. Pure, and safe for the browser. */
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

/** One place of work, as far as it is known. */
export type WorkAddress = {
  city?: string;
  state?: string;
  /** ISO 3166-1, two letters. */
  country: string;
};

/** Regions in which a remote worker may live. */
export type HomeArea = { kind: "country" | "state" | "region"; name: string };

export type Workplace = {
  /** Empty for a job without an office, or when nothing says in which country it is. */
  addresses: WorkAddress[];
  isRemote: boolean;
  /** For remote work only. */
  homes: HomeArea[];
};

/**
 * Parses a location, as in "Bengaluru / Remote", "Hybrid, Pune", "Remote, Europe" or "Dubai, UAE". An unknown
 * place is taken for one in India, since this board is for India, unless a country or region is beside it.
 * Partly remote work counts as work in an office, as Google's documentation of `jobLocationType` asks.
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
  // Without any name the place is somewhere in India.
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

/** Also what is done remotely on some days only. */
const notRemote =
  /\bhybrid\b|\b(?:no|not|non|never|partly|partially|partial|occasional|occasionally|some|semi)[ -]+(?:fully[ -]+)?(?:remote|wfh|work[ -]+from[ -]+home)|\b(?:remote|wfh|work[ -]+from[ -]+home)[ -]+(?:is )?(?:not|sometimes|occasionally)\b|\b(?:[1-4]|one|two|three|four|some)[ -]?days?\b/i;

/** Hours and clients may be elsewhere than the people: "remote, US hours". */
const workingHours =
  /\b[\p{L}.]+[ -]+(?:time[ -]?zones?|hours?|time|timings?|shifts?|clients?|based (?:company|client|startup))\b|\b(?:utc|gmt|ist|cet|est|pst)\b(?: ?[+-] ?\d+(?::\d+)?)?/giu;

/** Words that name no place. */
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

/** Names beside these words are those of a street or a house: "Jordan Road". */
const streetWords =
  /\b(?:road|rd|street|st|marg|lane|nagar|colony|house|towers?|complex|building|plaza|mall|park|garden|gardens)\b/i;

type Place =
  | { kind: "city" | "state"; name: string; country: string }
  | { kind: "country" | "region" | "unknown"; name: string; country?: undefined };

/** Apart from the one before it, as another choice; what only a comma or a bracket adds belongs to it. */
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

/** The known names in a part of a location; only a part without any is an unknown place. */
function parsePlaces(segment: string): Place[] {
  const words = segment.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];
  const names = streetWords.test(segment) ? getIndianPlaces() : getAllPlaces();
  const found: Place[] = [];
  for (let at = 0; at < words.length;) {
    const match = findLongestMatch(names, words.slice(at, at + longestName));
    if (match) found.push(match.place);
    at += match?.length ?? 1;
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

let inIndia: ReadonlyMap<string, Place> | undefined;
let everywhere: ReadonlyMap<string, Place> | undefined;

/** Made when the first location is read. */
function getIndianPlaces(): ReadonlyMap<string, Place> {
  inIndia ??= new Map<string, Place>([
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
  return inIndia;
}

function getAllPlaces(): ReadonlyMap<string, Place> {
  everywhere ??= new Map<string, Place>([
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
  return everywhere;
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

/** Text that a part may add to the address before it is joined; any other text is a separate address. */
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

/** Cities of India whose names other countries have too, where those are written beside them. */
const sharedNames = new Set(["Hyderabad PK", "Salem US", "Delhi CA", "Delhi US"]);

/** Countries that are cities as well: "Mumbai, Singapore" are two places. */
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

/** The countries of all that is named; states where nothing but states is; India where nothing is. */
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

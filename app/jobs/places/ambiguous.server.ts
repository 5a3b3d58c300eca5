/** Names that mean a place only beside other names or words. */
import { india, type Place } from "./rules.ts";

/** Cities beside a larger one, whose name may follow theirs: "Thane, Mumbai" is Thane. */
export const largerCities: Readonly<Record<string, string>> = {
  "navi-mumbai": "mumbai",
  thane: "mumbai",
  "vasai-virar": "mumbai",
  "pimpri-chinchwad": "pune",
  secunderabad: "hyderabad",
  howrah: "kolkata",
  "greater-noida": "noida",
  mohali: "chandigarh",
  panchkula: "chandigarh",
};

/** States that people name with a city outside them: Chandigarh is the capital of both. */
export const namedStates: Readonly<Record<string, readonly string[]>> = {
  chandigarh: ["punjab", "haryana"],
};

/** Regions of several countries that include India. */
export const regionsWithIndia: ReadonlySet<string> = new Set(
  "Asia|APAC|Asia Pacific|South Asia|SAARC".split("|"),
);

/** Countries that are also cities: "Mumbai, Singapore" are two places. */
export const cityStates: ReadonlySet<string> = new Set(["SG", "HK", "MO", "MC", "DJ"]);

/** Indian cities with a namesake that is not in the list of places. */
const namesElsewhere: ReadonlySet<string> = new Set(["Salem US", "Delhi CA", "Delhi US"]);

/**
 * Checks for a city whose name, beside a country, means another city there: "London, Canada". Countries beside an
 * Indian city are a second place: "Mumbai, Germany".
 *
 * @param country the code of a country without a known city of that name
 */
export function isCityElsewhere(city: Place, country: string): boolean {
  if (namesElsewhere.has(`${city.name} ${country}`)) return true;
  return city.country !== india && country !== india && !cityStates.has(country);
}

/** Names that are also words, so that they count only without other words: not in "Pali Hill". */
export const wordNames: ReadonlySet<string> = new Set(
  "anand|bari|bina|essen|guna|kashi|mau|natal|pali|puri|queens|sagar|salem|una|waltair".split("|"),
);

/** Names that are better known as companies. In free text they are no places. */
export const companyNames: ReadonlySet<string> = new Set(["oyo"]);

/** Regions of several countries, so that no single country is known. */
export const regions: readonly string[] = (
  "Europe|European Union|EU|EEA|EMEA|Eastern Europe|Western Europe|Northern Europe|Southern Europe|Asia|APAC|" +
  "Asia Pacific|South Asia|Southeast Asia|South East Asia|East Asia|Central Asia|SAARC|Africa|East Africa|" +
  "West Africa|Sub Saharan Africa|North Africa|Middle East|MENA|Gulf|North America|South America|Latin America|" +
  "Central America|LATAM|Americas|Oceania|Caribbean|Scandinavia|Nordics|Nordic|Baltics|Balkans|Benelux|DACH|Schengen"
).split("|");

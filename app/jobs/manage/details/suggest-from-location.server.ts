import { noDetails, type WorkMode, workModes } from "../../details.ts";
import { listLocations } from "../../places/complete-location.server.ts";
import { findPlaceConflict, suggestPlaces } from "../../suggest-details/suggest-places.server.ts";
import { joinProposals } from "../../suggest-details/suggest-details.server.ts";
import { findWorkMode } from "../../suggest-details/suggest-work-mode.ts";
import { toDetailValues } from "./parse-details.server.ts";
import { type DetailName, maxDetailLengths } from "./rules.ts";

/** The help with a typed location in the form of a listing. */
export type LocationHelp = {
  /** Locations that complete the typed one. */
  completions: string[];
  /** The values of fields for details that the location states, and the same in words. */
  details: { name: DetailName; value: string; text: string }[];
  /** Two names in the location that don't fit together. Their places are no details. */
  conflict: readonly [string, string] | null;
};

/** Finds what a location states, as for listings without details. @param chosen the work mode that the form states */
export function suggestFromLocation(location: string, chosen: WorkMode | null): LocationHelp {
  const workMode = chosen ? null : (findWorkMode(location)?.value ?? null);
  const places = joinProposals(suggestPlaces(location, chosen ?? workMode));
  const values = toDetailValues({ ...noDetails, ...places, workMode });
  return {
    completions: listLocations(location),
    details: Object.entries(describers).flatMap(([name, describe]) => {
      const value = values[name as DetailName];
      const isValid = value !== "" && value.length <= maxDetailLengths.places;
      return isValid ? [{ name: name as DetailName, value, text: describe(value) }] : [];
    }),
    conflict: findPlaceConflict(location),
  };
}

const describeHomes = (value: string) => `where applicants may live (${value})`;

const describers: Partial<Record<DetailName, (value: string) => string>> = {
  workMode: (value) => `work mode (${workModes.find((mode) => mode.value === value)!.label})`,
  places: (value) => `places of work (${value})`,
  applicantPlaces: describeHomes,
  anywhere: () => describeHomes("anywhere"),
};

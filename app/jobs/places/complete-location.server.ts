import { formatPlaceName, listPlacesByPrefix } from "./find-places.server.ts";

const minTyped = 2;
const maxCompletions = 8;

/**
 * Lists locations whose last place begins with what is typed: "Pune, ben" gives "Pune, Bengaluru, Karnataka". Empty if
 * fewer than two letters of it are typed.
 */
export function listLocations(typed: string): string[] {
  const last = /[^,;/|]*$/.exec(typed)![0].trimStart();
  const choice = /\s(?:or|and)\s+(?!.*\s(?:or|and)\s)(.*)$/i.exec(last)?.[1] ?? "";
  // "And" can be a part of a name.
  const locations = [last, choice].map((start) => completeEnd(typed, start));
  return locations.find((list) => list.length > 0) ?? [];
}

function completeEnd(typed: string, end: string): string[] {
  if (end.length < minTyped) return [];
  const before = typed.slice(0, typed.length - end.length);
  return listPlacesByPrefix(end, maxCompletions).map(({ id }) => before + formatPlaceName(id));
}

import type { Database } from "../../platform/database.server.ts";
import { getBoardCounts } from "../filters/board-counts.server.ts";
import { facets } from "../details.ts";
import { getPlace } from "../places/find-places.server.ts";
import { drawCities } from "./draw-stations.ts";

/** The most cities on the map. */
const maxCities = 60;

/** Loads the number of open jobs in each city, at most about a minute old. */
export async function loadAtlas(db: Database) {
  const counts = await getBoardCounts(db);
  const cities = [...counts.places].flatMap(([id, jobs]) => {
    const { kind, slug, name, country, north, east } = getPlace(id);
    const isCity = kind === "city" && north !== null && east !== null;
    return isCity && jobs > 0 ? [{ slug, name, jobs, country, north, east }] : [];
  });
  const inIndia = cities
    .filter(({ country }) => country === "IN")
    .toSorted((one, other) => other.jobs - one.jobs)
    .slice(0, maxCities);
  return {
    cities: drawCities(
      inIndia.map(({ slug, name, jobs, north, east }) => ({ slug, name, jobs, north, east })),
    ),
    abroad: cities
      .filter(({ country }) => country !== "IN")
      .map(({ slug, name, jobs }) => ({ slug, name, jobs }))
      .toSorted((one, other) => other.jobs - one.jobs),
    remote: counts.facets.get(facets.workMode("remote")) ?? 0,
    open: counts.open,
  };
}

import type { Database } from "../../platform/database.server.ts";
import { disciplines, facets, skills, workModes } from "../details.ts";
import { getPlace } from "../places/find-places.server.ts";
import { findBoardCounts } from "./board-counts.server.ts";
import { buildBoardAddress } from "./board-query.ts";

/** Search engines list a filter's page with at least this many jobs. */
export const minListed = 5;

/** Lists the addresses of one discipline, work mode, place or skill that search engines list, from the last count. */
export async function listFilterAddresses(db: Database): Promise<string[]> {
  const counts = await findBoardCounts(db);
  if (!counts) return [];
  const isListed = (count = 0) => count >= minListed;
  const hasJobs = (facet: number) => isListed(counts.facets.get(facet));
  const queries = [
    ...disciplines
      .filter(({ value }) => hasJobs(facets.discipline(value)))
      .map(({ value }) => ({ discipline: [value] })),
    ...workModes
      .filter(({ value }) => hasJobs(facets.workMode(value)))
      .map(({ value }) => ({ mode: [value] })),
    ...[...counts.places]
      .filter(([, count]) => isListed(count))
      .map(([id]) => ({ place: [getPlace(id).slug] })),
    ...skills
      .filter(({ id }) => hasJobs(facets.skill(id)))
      .map(({ value }) => ({ skill: [value] })),
  ];
  return queries.map(buildBoardAddress);
}

import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { insertJobs, type JobRow } from "../../../tests/support/rows/jobs.ts";
import { updateBoardCounts } from "../filters/board-counts.server.ts";
import { listJobs } from "../find.server.ts";
import { parseJobFilter } from "../filters/job-filter.server.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { loadAtlas } from "./load-atlas.server.ts";

const { db } = await testDatabase();
const placeId = (slug: string) => findPlaceBySlug(slug)!.id;

test("cities show as many jobs as their filter finds, also before the first count", async () => {
  expect(await loadAtlas(db)).toEqual({ cities: [], abroad: [], remote: 0, open: 0 });
  const inPlaces = (...slugs: string[]): JobRow => ({
    workMode: "on-site",
    placeIds: slugs.map(placeId),
  });
  await insertJobs(db, [
    inPlaces("pune"),
    inPlaces("pune", "mumbai"),
    inPlaces("london"),
    { workMode: "remote", applicantPlaceIds: [placeId("pune")] },
    { ...inPlaces("pune"), isArchived: true },
  ]);
  const before = await loadAtlas(db);
  await updateBoardCounts(db);
  expect(await loadAtlas(db)).toEqual(before);
  expect(before).toMatchObject({ open: 4, remote: 1, abroad: [{ slug: "london", jobs: 1 }] });
  expect(before.cities.map(({ slug, jobs: count }) => [slug, count])).toEqual([
    ["pune", 3],
    ["mumbai", 1],
  ]);
  for (const { slug, jobs: count } of before.cities) {
    const filter = parseJobFilter(new URLSearchParams({ place: slug }));
    expect((await listJobs(db, filter)).jobs).toHaveLength(count);
  }
});

import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { jobFields } from "../../../tests/support/rows/things.ts";
import { now } from "../../platform/clock.ts";
import { updateBoardCounts } from "../filters/board-counts.server.ts";
import { listJobs } from "../find.server.ts";
import { parseJobFilter } from "../filters/job-filter.server.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { jobs } from "../tables.server.ts";
import { loadAtlas } from "./load-atlas.server.ts";

const { db } = await testDatabase();
const adder = await person(db, "Devi Nair", { roles: ["job_board_adder"] });
const placeId = (slug: string) => findPlaceBySlug(slug)!.id;

test("cities show as many jobs as their filter finds, also before the first count", async () => {
  expect(await loadAtlas(db)).toEqual({ cities: [], abroad: [], remote: 0, open: 0 });
  const base = { ...jobFields, createdBy: adder.id, postedAt: now() };
  const inPlaces = (...slugs: string[]) => ({
    ...base,
    workMode: "on-site" as const,
    placeIds: slugs.map(placeId),
  });
  const remote = { ...base, workMode: "remote" as const, applicantPlaceIds: [placeId("pune")] };
  await db
    .insert(jobs)
    .values([
      inPlaces("pune"),
      inPlaces("pune", "mumbai"),
      inPlaces("london"),
      remote,
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

import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { allPlaces, findPlaceBySlug } from "./find-places.server.ts";
import { loadPlaces } from "./load-places.server.ts";
import { placeNames, places } from "./tables.server.ts";

const { db } = await testDatabase();
const pune = findPlaceBySlug("pune")!;
const mumbai = findPlaceBySlug("mumbai")!;

beforeEach(async () => {
  await db.delete(places);
  await loadPlaces(db);
});

test("all places are loaded with their names, other names and sets", async () => {
  expect(await db.$count(places)).toBe(allPlaces.length);
  expect(await db.select().from(places).where(eq(places.id, pune.id))).toEqual([pune]);
  const namesOf = async (key: string) =>
    (await db.select().from(placeNames).where(eq(placeNames.key, key))).map(({ place }) => place);
  expect(await namesOf("pune")).toEqual([pune.id]);
  expect(await namesOf("bombay")).toEqual([mumbai.id]);
  expect(await namesOf("delhi ncr")).toHaveLength(6);
  expect(await namesOf("hyderabad")).toHaveLength(2);
});

test("loading again writes nothing", async () => {
  const before = await listVersions();
  await loadPlaces(db);
  expect(await listVersions()).toEqual(before);
});

test("places that load at the same time are loaded once", async () => {
  await db.delete(places);
  await Promise.all([1, 2, 3, 4].map(() => loadPlaces(db)));
  expect(await db.$count(places)).toBe(allPlaces.length);
});

test("a changed place is corrected, and only it", async () => {
  const before = await listVersions();
  await db.update(places).set({ name: "Poona", north: 0 }).where(eq(places.id, pune.id));
  await db.delete(placeNames).where(eq(placeNames.key, "poona"));
  await db.insert(placeNames).values({ key: "old name", place: pune.id });
  await loadPlaces(db);
  expect(await db.select().from(places).where(eq(places.id, pune.id))).toEqual([pune]);
  expect(await db.$count(placeNames, eq(placeNames.key, "poona"))).toBe(1);
  expect(await db.$count(placeNames, eq(placeNames.key, "old name"))).toBe(0);
  const changed = [...(await listVersions())].filter(([id, version]) => before.get(id) !== version);
  expect(changed.map(([id]) => id)).toEqual([pune.id]);
});

test("a place that is no longer in the file stays, even if another place takes its slug", async () => {
  const former = { ...pune, id: 89_999_999, slug: "former-town", name: "Former Town" };
  await db.insert(places).values(former);
  await loadPlaces(db);
  expect(await db.select().from(places).where(eq(places.id, former.id))).toEqual([former]);

  await db.update(places).set({ slug: "moved" }).where(eq(places.id, pune.id));
  await db.update(places).set({ slug: "pune" }).where(eq(places.id, former.id));
  await loadPlaces(db);
  expect(await db.select().from(places).where(eq(places.id, pune.id))).toEqual([pune]);
  expect(await db.$count(places, eq(places.id, former.id))).toBe(1);
});

test("two places can exchange their slugs", async () => {
  await db.update(places).set({ slug: "mumbai-1" }).where(eq(places.id, mumbai.id));
  await db.update(places).set({ slug: "mumbai" }).where(eq(places.id, pune.id));
  await db.update(places).set({ slug: "pune" }).where(eq(places.id, mumbai.id));
  await loadPlaces(db);
  expect(await db.select().from(places).where(eq(places.slug, "pune"))).toEqual([pune]);
  expect(await db.select().from(places).where(eq(places.slug, "mumbai"))).toEqual([mumbai]);
});

/** Lists the version of each row, which PostgreSQL changes with every write. */
async function listVersions(): Promise<Map<number, string>> {
  const rows = await db
    .select({ id: places.id, version: sql<string>`${places}.xmin::text || ${places}.ctid::text` })
    .from(places);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

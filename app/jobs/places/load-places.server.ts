import { inArray, sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { allPlaces, placesByKey, setsByKey } from "./find-places.server.ts";
import type { Place } from "./rules.ts";
import { placeNames, places } from "./tables.server.ts";

type PlaceName = typeof placeNames.$inferSelect;

const loadLock = 727_277;

/**
 * Writes the places of places.json that are new or differ into the database, with their names. Places that are no
 * longer in the file stay, since jobs may refer to them. Without a change it only reads, which takes milliseconds.
 */
export async function loadPlaces(db: Database): Promise<void> {
  if (!hasChanges(await findChanges(db))) return;
  await db.transaction(async (tx) => {
    // Processes that start together wait for each other.
    await tx.execute(sql`select pg_advisory_xact_lock(${loadLock})`);
    const { changed, added, removed } = await findChanges(tx);
    await updateTakenSlugs(tx, changed);
    if (changed.length > 0)
      await tx
        .insert(places)
        .values(changed)
        .onConflictDoUpdate({ target: places.id, set: excluded });
    if (removed.length > 0)
      await tx.delete(placeNames).where(
        inArray(
          sql`(${placeNames.key}, ${placeNames.place})`,
          removed.map(({ key, place }) => sql`(${key}, ${place})`),
        ),
      );
    if (added.length > 0) await tx.insert(placeNames).values(added);
  });
}

type Changes = { changed: Place[]; added: PlaceName[]; removed: PlaceName[] };

function hasChanges({ changed, added, removed }: Changes): boolean {
  return changed.length + added.length + removed.length > 0;
}

async function findChanges(db: Database): Promise<Changes> {
  const stored = new Map((await db.select().from(places)).map((place) => [place.id, place]));
  const storedNames = toNameMap(await db.select().from(placeNames));
  const names = toNameMap(listPlaceNames());
  return {
    changed: allPlaces.filter((place) => !isSame(place, stored.get(place.id))),
    added: [...names].filter(([id]) => !storedNames.has(id)).map(([, name]) => name),
    removed: [...storedNames].filter(([id]) => !names.has(id)).map(([, name]) => name),
  };
}

function listPlaceNames(): PlaceName[] {
  return [...placesByKey, ...setsByKey].flatMap(([key, named]) =>
    named.map(({ id }) => ({ key, place: id })),
  );
}

function toNameMap(names: PlaceName[]): Map<string, PlaceName> {
  return new Map(names.map((name) => [`${name.place} ${name.key}`, name]));
}

function isSame(place: Place, stored: Place | undefined): boolean {
  return (
    stored !== undefined &&
    (Object.keys(place) as (keyof Place)[]).every((field) => place[field] === stored[field])
  );
}

/** Renames the slugs of other rows that these places need, since two rows never share a slug. */
async function updateTakenSlugs(db: Database, needed: Place[]): Promise<void> {
  if (needed.length === 0) return;
  await db
    .update(places)
    .set({ slug: sql`'former-' || ${places.id}` })
    .where(
      inArray(
        places.slug,
        needed.map(({ slug }) => slug),
      ),
    );
}

const excluded = {
  kind: sql`excluded.kind`,
  name: sql`excluded.name`,
  slug: sql`excluded.slug`,
  parent: sql`excluded.parent`,
  country: sql`excluded.country`,
  north: sql`excluded.north`,
  east: sql`excluded.east`,
};

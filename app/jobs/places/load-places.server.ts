import { inArray, sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { allPlaces } from "./find-places.server.ts";
import type { Place } from "./rules.ts";
import { places } from "./tables.server.ts";

const loadLock = 727_277;

/**
 * Writes the places of places.json that are new or differ into the database. Places that are no longer in the file
 * stay, since jobs may refer to them. Without a change it only reads, which takes milliseconds.
 */
export async function loadPlaces(db: Database): Promise<void> {
  if ((await listChanged(db)).length === 0) return;
  await db.transaction(async (tx) => {
    // Processes that start together wait for each other.
    await tx.execute(sql`select pg_advisory_xact_lock(${loadLock})`);
    const changed = await listChanged(tx);
    if (changed.length === 0) return;
    await updateTakenSlugs(tx, changed);
    await tx
      .insert(places)
      .values(changed)
      .onConflictDoUpdate({ target: places.id, set: excluded });
  });
}

async function listChanged(db: Database): Promise<Place[]> {
  const stored = new Map((await db.select().from(places)).map((place) => [place.id, place]));
  return allPlaces.filter((place) => !isSame(place, stored.get(place.id)));
}

function isSame(place: Place, stored: Place | undefined): boolean {
  return (
    stored !== undefined &&
    (Object.keys(place) as (keyof Place)[]).every((field) => place[field] === stored[field])
  );
}

/** Renames the slugs of other rows that these places need, since two rows never share a slug. */
async function updateTakenSlugs(db: Database, listed: Place[]): Promise<void> {
  await db
    .update(places)
    .set({ slug: sql`'former-' || ${places.id}` })
    .where(
      inArray(
        places.slug,
        listed.map(({ slug }) => slug),
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

import { sql } from "drizzle-orm";
import {
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { placeKinds } from "./rules.ts";

/** The known places. `loadPlaces` fills both tables from places.json at each start. */
export const places = pgTable(
  "places",
  {
    id: integer("id").primaryKey(),
    kind: text("kind", { enum: placeKinds }).notNull(),
    name: text("name").notNull(),
    slug: text("slug").notNull().unique("places_slug"),
    parent: integer("parent"),
    country: text("country").notNull(),
    north: doublePrecision("north"),
    east: doublePrecision("east"),
  },
  (table) => [
    foreignKey({ columns: [table.parent], foreignColumns: [table.id], name: "places_parent" }),
    index("places_children").on(table.parent),
    check("places_kind_known", sql`${table.kind} in ('city', 'state', 'country')`),
    check("places_id_range", sql`${table.id} between 1 and 89999999`),
    check("places_parent_known", sql`(${table.parent} is null) = (${table.kind} = 'country')`),
  ],
);

/** The names of places: their own and others, such as "bangalore". The places of a set, such as "ncr", share a key. */
export const placeNames = pgTable(
  "place_names",
  {
    /** The name as `toPlaceKey` writes it. */
    key: text("key").notNull(),
    place: integer("place")
      .notNull()
      .references(() => places.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.place] }),
    index("place_names_place").on(table.place),
  ],
);

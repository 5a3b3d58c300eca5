import { sql } from "drizzle-orm";
import {
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
} from "drizzle-orm/pg-core";
import { checkValues } from "../../platform/tables.server.ts";
import { placeKinds } from "./rules.ts";

/** The known places, for their parents. `loadPlaces` fills the table from places.json at each start. */
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
    checkValues("places_kind_known", table.kind, placeKinds),
    check("places_id_range", sql`${table.id} between 1 and 89999999`),
    check("places_parent_known", sql`(${table.parent} is null) = (${table.kind} = 'country')`),
  ],
);

import { sql } from "drizzle-orm";
import type { Order } from "../platform/lists/list.server.ts";
import { companies } from "./tables.server.ts";

/** The name by which lists of companies are sorted. The index companies_public has the same expression. */
export const sortedName = sql<string>`lower(${companies.name})`;

/** The order of every list of companies. */
export const companiesByName: Order<{ id: string; sortedName: string }> = {
  keys: [
    { by: sortedName, type: "text", of: (row) => row.sortedName },
    { by: companies.id, type: "uuid", of: (row) => row.id },
  ],
  direction: "asc",
};

/** Finds earlier attempts to pay for the same purchase. */
import { and, eq, exists, inArray, type SQL, sql } from "drizzle-orm";
import { minute } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { orderEvents, orders } from "./tables.server.ts";

/** A double click or a second tab leads to the same order for this long. */
export const reusableFor = 10 * minute;

/** True in SQL once the buyer's browser or the provider has reported the payment. */
export function hasProviderCallback(db: Database): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(orderEvents)
      .where(
        and(
          eq(orderEvents.orderId, orders.orderId),
          inArray(orderEvents.source, ["return", "notice"]),
        ),
      ),
  );
}

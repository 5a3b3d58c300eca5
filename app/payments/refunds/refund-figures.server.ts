import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { refunds } from "./tables.server.ts";

/** Counts the refunds that reached the customer since a time, and the median hours from the request until then. */
export async function getRefundFigures(
  db: Database,
  since: Date,
): Promise<{ settled: number; medianHours: number | null }> {
  const [figures] = await db
    .select({
      settled: sql`count(*)`.mapWith(Number),
      medianHours: sql<number | null>`percentile_cont(0.5) within group (
        order by date_part('epoch', ${refunds.endedAt} - ${refunds.createdAt}) / 3600
      )`,
    })
    .from(refunds)
    .where(and(eq(refunds.state, "settled"), gt(refunds.endedAt, since)));
  return figures!;
}

import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/authorize.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { readCursor, writeCursor } from "../../platform/page-cursor.server.ts";
import type { ServiceType } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";
import {
  atMoment,
  cursorMoment,
  listed,
  type ListedReview,
  listedReview,
  type ListPage,
  ofType,
  rowsPerPage,
} from "./listed-review.server.ts";

/** Lists the reviews that wait for a reviewer: the most urgent first, then the oldest. */
export async function listPendingReviews(
  db: Database,
  actor: Actor | null,
  { type, after }: { type: ServiceType | null; after: string | null },
): Promise<ListPage<ListedReview>> {
  authorize(actor, "review.oversee");
  const filter = and(eq(serviceReviews.status, "pending"), ofType(type));
  const place = readCursor(after, cursor);
  const behind =
    place &&
    sql`(${urgency}, ${serviceReviews.createdAt}, ${serviceReviews.id})
      > (-${place[0]}::int, ${atMoment(place[1])}, ${place[2]}::uuid)`;
  const [rows, total] = await Promise.all([
    db
      .select(listed)
      .from(serviceReviews)
      .where(and(filter, behind ?? undefined))
      .orderBy(urgency, asc(serviceReviews.createdAt), asc(serviceReviews.id))
      .limit(rowsPerPage + 1),
    db.$count(serviceReviews, filter),
  ]);
  const shown = rows.slice(0, rowsPerPage);
  const last = shown.at(-1);
  const next = last && rows.length > shown.length;
  return {
    rows: shown.map(listedReview),
    next: next ? writeCursor([last.priority, last.submittedAt.getTime(), last.id]) : null,
    total,
  };
}

/** As the index of the queue has it. */
const urgency = sql`(-${serviceReviews.priority})`;

const cursor = z.tuple([z.number().int(), cursorMoment, z.guid()]);

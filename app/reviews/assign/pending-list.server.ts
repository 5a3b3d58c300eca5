import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { readCursor } from "../../platform/list.server.ts";
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
  pageOf,
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
  const { shown, next } = pageOf(rows, ({ priority, submittedAt, id }) => [
    priority,
    submittedAt.getTime(),
    id,
  ]);
  return { rows: shown.map(listedReview), next, total };
}

/** As the index of the queue has it. */
const urgency = sql`(-${serviceReviews.priority})`;

const cursor = z.tuple([z.number().int(), cursorMoment, z.guid()]);

import { and, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { countUpTo, type Order, readPage } from "../../platform/list.server.ts";
import type { ServiceType } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";
import {
  isPending,
  listed,
  type ListedReview,
  listedReview,
  ofType,
  type ReviewsPage,
  rowsPerPage,
} from "./listed-review.server.ts";

/** Lists the reviews that wait for a reviewer: the most urgent first, then the oldest. */
export async function listPendingReviews(
  db: Database,
  actor: Actor | null,
  { type, after }: { type: ServiceType | null; after: string | null },
): Promise<ReviewsPage<ListedReview>> {
  authorize(actor, "review.oversee");
  const filter = and(isPending, ofType(serviceReviews, type));
  const [{ rows, ...beside }, total] = await Promise.all([
    readPage(queue, { cursor: after, size: rowsPerPage }, (part) =>
      db
        .select(listed)
        .from(serviceReviews)
        .where(and(filter, part.where))
        .orderBy(...part.orderBy)
        .limit(part.limit),
    ),
    countUpTo(db, serviceReviews, filter),
  ]);
  return { rows: rows.map(listedReview), total, ...beside };
}

const queue: Order<{ priority: number; submittedAt: Date; id: string }> = {
  keys: [
    {
      // As the index of the queue has it.
      by: sql`(-${serviceReviews.priority})`,
      type: "integer",
      of: ({ priority }) => -priority,
    },
    { by: serviceReviews.createdAt, type: "timestamptz", of: ({ submittedAt }) => submittedAt },
    { by: serviceReviews.id, type: "uuid", of: ({ id }) => id },
  ],
  direction: "asc",
};

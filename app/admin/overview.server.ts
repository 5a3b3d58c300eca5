import { and, desc, eq, gte, isNull, lt, not, sql } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { day, monthStart } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { reviewAssignments } from "../reviews/tables.server.ts";

/** How many people have a profile. */
export async function countUsers(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "product.oversee");
  return db.$count(profiles);
}

/** How many reviews somebody works on. */
export async function countActiveReviews(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "product.oversee");
  return db.$count(reviewAssignments, isNull(reviewAssignments.completedAt));
}

/** How many jobs are on the board. */
export async function countActiveJobs(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "product.oversee");
  return db.$count(jobs, not(jobs.isArchived));
}

/** What was paid in the calendar month of `moment` and in the one before, in paise. */
export async function readRevenue(
  db: Database,
  actor: Actor | null,
  moment: Date,
): Promise<{ current: number; previous: number }> {
  authorize(actor, "product.oversee");
  const [last, first, next] = [-1, 0, 1].map((offset) => monthStart(moment, offset)) as [
    Date,
    Date,
    Date,
  ];
  const isCurrent = sql`${orders.createdAt} >= ${first.toISOString()}::timestamptz`;
  const total = sql`coalesce(sum(${orders.amountPaise})`;
  const [row] = await db
    .select({
      current: sql<string>`${total} filter (where ${isCurrent}), 0)`.mapWith(Number),
      previous: sql<string>`${total} filter (where not ${isCurrent}), 0)`.mapWith(Number),
    })
    .from(orders)
    .where(
      and(eq(orders.status, "success"), gte(orders.createdAt, last), lt(orders.createdAt, next)),
    );
  return row ?? { current: 0, previous: 0 };
}

export type RecentUser = { id: string; fullName: string | null; registeredAt: Date | null };

const recently = 5 * day;
const mostRecent = 10;

/** Lists who registered in the five days before `moment`, the newest first, ten at most. */
export async function listRecentUsers(
  db: Database,
  actor: Actor | null,
  moment: Date,
): Promise<RecentUser[]> {
  authorize(actor, "product.oversee");
  return db
    .select({ id: profiles.id, fullName: profiles.fullName, registeredAt: profiles.createdAt })
    .from(profiles)
    .where(gte(profiles.createdAt, new Date(moment.getTime() - recently)))
    .orderBy(desc(profiles.createdAt), desc(profiles.id))
    .limit(mostRecent);
}

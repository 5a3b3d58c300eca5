import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { buildKeys, countUpTo, type Order, readPageOrLast } from "../platform/lists/list.server.ts";
import type { Count } from "../platform/lists/lists.ts";
import type { CheckKind } from "./check-rules.ts";
import { isOpen } from "./find.server.ts";
import { isInScope, type ListingScope } from "./own-listings.server.ts";
import { jobChecks, jobs } from "./tables.server.ts";

/**
 * The rank of a listing in the queue: 0 for unchecked ones whose owner had a listing removed, 1 for other unchecked ones
 * that lapse, 2 for all others. The index jobs_check_order has the same expression.
 */
const rank = sql<number>`(case when ${jobs.checkedAt} is null and ${jobs.lapses}
  then case when ${jobs.followsRemoval} then 0 else 1 end else 2 end)`.mapWith(Number);

type Ranked = { id: string; rank: number; checkDueAt: Date };

const urgency: Order<Ranked> = {
  keys: [
    { by: rank, type: "integer", of: (row) => row.rank },
    ...buildKeys({ checkDueAt: jobs.checkDueAt, id: jobs.id }),
  ],
  direction: "asc",
};

/** True in SQL for a listing whose check is due, or that nobody has checked. */
export const needsCheck = sql<boolean>`(${rank} <> 2 or ${jobs.checkDueAt} <= now())`;

/** The listings that are due at a moment: one range of the index. */
const isDueAt = (moment: Date): SQL =>
  sql`(${rank}, ${jobs.checkDueAt}) <= (2, ${moment.toISOString()}::timestamptz)`;

const listingsPerPage = 25;

/**
 * Lists open listings to check: unchecked ones that lapse, first those whose owner had a listing removed, then due ones,
 * the longest overdue first.
 *
 * @throws {Denied} without permission
 */
export async function listDueChecks(
  db: Database,
  actor: Actor | null,
  scope: ListingScope,
  { after }: { after: string | null },
) {
  authorize(actor, scope === "all" ? "job.manage-any" : "job.check");
  const isListed = and(isOpen, isInScope(actor, scope), isDueAt(now()));
  return readPageOrLast(urgency, { cursor: after, size: listingsPerPage }, (part) =>
    db
      .select({ ...queued, rank, lastCheck: selectLastCheckKind(db) })
      .from(jobs)
      .where(and(isListed, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

const queued = {
  id: jobs.id,
  title: jobs.title,
  company: jobs.company,
  postedAt: jobs.postedAt,
  checkedAt: jobs.checkedAt,
  checkDueAt: jobs.checkDueAt,
  lapses: jobs.lapses,
  followsRemoval: jobs.followsRemoval,
  liveUntil: jobs.liveUntil,
  pocName: jobs.pocName,
  pocContact: jobs.pocContact,
  checkEmail: jobs.checkEmail,
  portalApplicationLink: jobs.portalApplicationLink,
};

/** Counts the listings in a screen's queue, up to a thousand. */
export async function countDueChecks(
  db: Database,
  actor: Actor | null,
  scope: ListingScope,
): Promise<Count> {
  authorize(actor, scope === "all" ? "job.manage-any" : "job.check");
  return countUpTo(db, jobs, and(isOpen, isInScope(actor, scope), isDueAt(now())));
}

/** True in SQL for an unchecked listing that lapses. */
export const isAwaitingFirstCheck = sql`${rank} <= 1`;

/** Selects how the last check of a listing was made; null for a listing without any. */
export function selectLastCheckKind(db: Database) {
  const last = db
    .select({ kind: jobChecks.kind })
    .from(jobChecks)
    .where(eq(jobChecks.jobId, jobs.id))
    .orderBy(desc(jobChecks.at))
    .limit(1);
  return sql<CheckKind | null>`(${last})`;
}

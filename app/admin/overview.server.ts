import { and, desc, gt, gte, isNotNull, isNull, lt, not, or } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { isUnsent } from "../mail/mails.server.ts";
import { mails } from "../mail/tables.server.ts";
import {
  countUnsettledOrders,
  listUnsettledOrders,
  type UnsettledOrder,
} from "../payments/unsettled-orders.server.ts";
import { day, minute, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { type Failing, failingDependencies } from "../platform/metrics.server.ts";
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

const mostShown = 10;

/** Payments that only a person can settle: the newest, and how many there are. */
export async function listPaymentsToLookInto(
  db: Database,
  actor: Actor | null,
): Promise<{ orders: UnsettledOrder[]; total: number }> {
  authorize(actor, "product.oversee");
  const [orders, total] = await Promise.all([
    listUnsettledOrders(db, mostShown),
    countUnsettledOrders(db),
  ]);
  return { orders, total };
}

/** What failed when this process used it last: database, store, mail or payments. */
export function listFailingDependencies(actor: Actor | null): Failing[] {
  authorize(actor, "product.oversee");
  return failingDependencies();
}

export type UndeliveredMail = Pick<
  typeof mails.$inferSelect,
  "id" | "recipient" | "subject" | "createdAt" | "lastError" | "givenUpAt"
>;

/** A mail that waits longer than this has met with a failure. */
const usualWait = 15 * minute;
const shownFor = 7 * day;

/** Mails of the last week that were given up or are long under way: the newest, and how many. */
export async function listUndeliveredMails(
  db: Database,
  actor: Actor | null,
): Promise<{ mails: UndeliveredMail[]; total: number }> {
  authorize(actor, "product.oversee");
  const moment = now().getTime();
  const undelivered = and(
    isUnsent(),
    gt(mails.createdAt, new Date(moment - shownFor)),
    or(isNotNull(mails.givenUpAt), lt(mails.createdAt, new Date(moment - usualWait))),
  );
  const { id, recipient, subject, createdAt, lastError, givenUpAt } = mails;
  const [found, total] = await Promise.all([
    db
      .select({ id, recipient, subject, createdAt, lastError, givenUpAt })
      .from(mails)
      .where(undelivered)
      .orderBy(desc(mails.createdAt), desc(mails.id))
      .limit(mostShown),
    db.$count(mails, undelivered),
  ]);
  return { mails: found, total };
}

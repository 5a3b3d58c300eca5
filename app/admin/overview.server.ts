import { and, desc, gte, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { type Actor, currentActor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { isOpen } from "../jobs/find.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { isReported, isUnsent } from "../mail/deliver-mail.server.ts";
import { mails } from "../mail/tables.server.ts";
import { formatRupees, formatWholeRupees } from "../payments/money.ts";
import {
  countOrdersToResolve,
  listOrdersToResolve,
} from "../payments/resolve/orders-to-resolve.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import {
  day,
  minute,
  now,
  formatMonthDay,
  formatShortDate,
  formatShortDateTime,
} from "../platform/clock.ts";
import { type Database, readSparingly } from "../platform/database.server.ts";
import { withFallback } from "../platform/forms.server.ts";
import { formatIndianNumber } from "../platform/numbers.ts";
import { type Failing, listFailingUses } from "../platform/metrics.server.ts";
import { countReviewsDueToday, getServiceFigures } from "../reviews/due-dates/due-dates.server.ts";
import { getMessageFigures } from "../support/answer/deadlines.server.tsx";
import { reviewAssignments } from "../reviews/tables.server.ts";
import { getRevenue, toRevenueChange } from "./revenue.server.ts";
import { countByDay, trendDays } from "./trends.server.ts";

/** Counts faster than this run on every request; slower ones are cached. */
const quickQueryMs = 50;

/** Reads the overview. A part that fails to load is null or empty. */
export async function loadOverview(context: Readonly<RouterContextProvider>) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const moment = now();
  const read = <Value>(reading: () => Promise<Value>) => withFallback(context, reading, null);
  const [users, reviews, jobs, revenue, trends, recent, payments, mails, dueToday, service, desk] =
    await Promise.all([
      read(() => countUsers(db, actor)),
      read(() => readSparingly(db, "reviews", () => countActiveReviews(db, actor), quickQueryMs)),
      read(() => readSparingly(db, "jobs", () => countActiveJobs(db, actor), quickQueryMs)),
      read(() => getRevenue(db, actor, moment)),
      read(() => readSparingly(db, "trends", () => countByDay(db, actor, moment), quickQueryMs)),
      read(() => listRecentUsers(db, actor, moment)),
      read(() => listNewestOrdersToResolve(db, actor)),
      read(() => listUndeliveredMails(db, actor)),
      read(() =>
        readSparingly(db, "due today", () => countReviewsDueToday(db, actor), quickQueryMs),
      ),
      read(() => readSparingly(db, "service figures", () => getServiceFigures(db))),
      read(() => readSparingly(db, "messages", () => getMessageFigures(db, actor), quickQueryMs)),
    ]);
  const period = {
    from: formatMonthDay(new Date(moment.getTime() - (trendDays - 1) * day)),
    to: formatMonthDay(moment),
  };
  const figures = {
    users,
    reviews,
    jobs,
    revenue: revenue && formatWholeRupees(revenue.current),
    refunded: revenue && revenue.refunded > 0 ? formatWholeRupees(revenue.refunded) : null,
    change: revenue && toRevenueChange(revenue.current, revenue.previous),
    trends: trends && {
      users: { ...period, ...toTrend(trends.users, "new") },
      reviews: { ...period, ...toTrend(trends.reviews, "submitted") },
      jobs: { ...period, ...toTrend(trends.jobs, "posted") },
      revenue: {
        ...period,
        values: trends.revenue,
        text: `${formatWholeRupees(sumDays(trends.revenue))} paid in ${trendDays} days`,
      },
    },
  };
  return {
    figures,
    promise: { dueToday, service },
    desk,
    attention: toAttention(listFailingDependencies(actor), payments, mails),
    recent: (recent ?? []).map(({ id, fullName, registeredAt }) => ({
      id,
      name: fullName?.trim() || "Unnamed User",
      registered: registeredAt ? formatShortDate(registeredAt) : "N/A",
    })),
  };
}

function toTrend(values: number[], verb: string) {
  return {
    values,
    text: `${formatIndianNumber(sumDays(values))} ${verb} in ${trendDays} days`,
  };
}

function sumDays(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Null where something could not be read. */
export type Overview = Awaited<ReturnType<typeof loadOverview>>;

function toAttention(
  failing: Failing[],
  payments: Awaited<ReturnType<typeof listNewestOrdersToResolve>> | null,
  mails: Awaited<ReturnType<typeof listUndeliveredMails>> | null,
) {
  return {
    failing: failing.map(({ since, ...rest }) => ({ ...rest, since: formatShortDateTime(since) })),
    payments: { total: payments?.total ?? 0, rows: (payments?.orders ?? []).map(toOrderRow) },
    mails: {
      total: mails?.total ?? 0,
      rows: (mails?.mails ?? []).map(({ createdAt, lastError, givenUpAt, ...mail }) => ({
        ...mail,
        queued: formatShortDateTime(createdAt),
        why: `${givenUpAt ? "Failed." : "Retrying."} ${lastError ?? "No answer from the mail server yet."}`,
      })),
    },
  };
}

/** Formats an order for a list. */
export function toOrderRow<Order extends { amountPaise: number; createdAt: Date }>({
  amountPaise,
  createdAt,
  ...order
}: Order) {
  return { ...order, amount: formatRupees(amountPaise), started: formatShortDate(createdAt) };
}

/** Counts people with a profile. */
export async function countUsers(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "product.oversee");
  return db.$count(profiles);
}

/** Counts reviews that are being worked on. */
export async function countActiveReviews(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "product.oversee");
  return db.$count(reviewAssignments, isNull(reviewAssignments.completedAt));
}

/** Counts jobs on the board. */
export async function countActiveJobs(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "product.oversee");
  return db.$count(jobs, isOpen);
}

const recentPeriod = 5 * day;
const maxRecentUsers = 10;

/** Lists up to ten people who registered in the five days before `moment`, newest first. */
export async function listRecentUsers(db: Database, actor: Actor | null, moment: Date) {
  authorize(actor, "product.oversee");
  return db
    .select({ id: profiles.id, fullName: profiles.fullName, registeredAt: profiles.createdAt })
    .from(profiles)
    .where(gte(profiles.createdAt, new Date(moment.getTime() - recentPeriod)))
    .orderBy(desc(profiles.createdAt), desc(profiles.id))
    .limit(maxRecentUsers);
}

const maxListed = 10;

/** Lists the newest orders to resolve, and counts all of them. */
export async function listNewestOrdersToResolve(db: Database, actor: Actor | null) {
  authorize(actor, "product.oversee");
  const [orders, total] = await Promise.all([
    listOrdersToResolve(db, maxListed),
    countOrdersToResolve(db),
  ]);
  return { orders, total };
}

/** Lists services (database, store, mail, payments) that failed when this process last used them. */
export function listFailingDependencies(actor: Actor | null): Failing[] {
  authorize(actor, "product.oversee");
  return listFailingUses();
}

/** An email that waits longer than this has failed at least once. */
const maxDeliveryWait = 15 * minute;

/** Lists the newest emails of the last week that failed or are delayed, and counts all of them. */
export async function listUndeliveredMails(db: Database, actor: Actor | null) {
  authorize(actor, "product.oversee");
  const moment = now().getTime();
  const undelivered = and(
    isUnsent(),
    isReported(),
    or(isNotNull(mails.givenUpAt), lt(mails.createdAt, new Date(moment - maxDeliveryWait))),
  );
  const { id, recipient, subject, createdAt, lastError, givenUpAt } = mails;
  const [rows, total] = await Promise.all([
    db
      .select({ id, recipient, subject, createdAt, lastError, givenUpAt })
      .from(mails)
      .where(undelivered)
      .orderBy(desc(mails.createdAt), desc(mails.id))
      .limit(maxListed),
    db.$count(mails, undelivered),
  ]);
  return { mails: rows, total };
}

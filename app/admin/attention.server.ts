import { and, desc, gt, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { mails } from "../mail/tables.server.ts";
import {
  countUnsettledOrders,
  listUnsettledOrders,
  type UnsettledOrder,
} from "../payments/unsettled-orders.server.ts";
import { day, minute, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";

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
    isNull(mails.sentAt),
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

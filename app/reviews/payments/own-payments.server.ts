import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { refunds } from "../../payments/refunds/tables.server.ts";
import type { RefundState } from "../../payments/refunds/rules.ts";
import { orders } from "../../payments/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Order, readPage } from "../../platform/list.server.ts";
import { serviceLabel, type ServiceType } from "../rules.ts";
import { reviewOrders, serviceReviews } from "../tables.server.ts";
import type { OrderStatus } from "./rules.ts";

export type OwnPayment = {
  orderId: string;
  /** What was to be bought, by its name. */
  service: string;
  amountPaise: number;
  status: OrderStatus;
  begunAt: Date;
  /** Own path where the same can be paid for again. */
  retryPath: string | null;
  /** The review that it paid for. */
  reviewId: string | null;
  /** The last refund of it that was begun. */
  refund: { state: RefundState } | null;
};

/** `next` is the cursor of the page behind it. */
export type OwnPaymentPage = { payments: OwnPayment[]; next: string | null };

export const ownPaymentsPerPage = 20;

/**
 * This person's payments and attempts to pay, newest first.
 *
 * @param after the cursor that an earlier page gave; one that is none means the first page
 */
export async function listOwnPayments(
  db: Database,
  actor: { id: string },
  after: string | null = null,
): Promise<OwnPaymentPage> {
  const { rows, next } = await readPage(
    newestFirst,
    { cursor: after, size: ownPaymentsPerPage },
    (part) =>
      db
        .select({
          orderId: orders.orderId,
          serviceType: boughtType,
          amountPaise: orders.amountPaise,
          status: orders.status,
          begunAt: orders.createdAt,
          retryPath: orders.retryPath,
          reviewId: serviceReviews.id,
        })
        .from(orders)
        .leftJoin(reviewOrders, eq(reviewOrders.orderId, orders.orderId))
        .leftJoin(serviceReviews, eq(serviceReviews.orderId, orders.orderId))
        .where(and(eq(orders.buyerId, actor.id), part.where))
        .orderBy(...part.orderBy)
        .limit(part.limit),
  );
  const last = await lastRefunds(
    db,
    rows.map(({ orderId }) => orderId),
  );
  const payments = rows.map(({ serviceType, amountPaise, ...row }) => ({
    ...row,
    service: nameOf(serviceType),
    amountPaise: amountPaise ?? 0,
    refund: last.get(row.orderId) ?? null,
  }));
  return { payments, next };
}

const newestFirst: Order<{ begunAt: Date; orderId: string }> = {
  keys: [
    { by: orders.createdAt, type: "timestamptz", of: ({ begunAt }) => begunAt },
    { by: orders.orderId, type: "text", of: ({ orderId }) => orderId },
  ],
  direction: "desc",
};

/** Of a payment that was imported only its review may say it. */
export const boughtType = sql<ServiceType | null>`coalesce(${serviceReviews.serviceType}, ${reviewOrders.serviceType})`;

/** What a payment is for; of one that says nothing of it, that it is one. */
export function nameOf(serviceType: ServiceType | null): string {
  return serviceType ? serviceLabel(serviceType) : "Payment";
}

/** The last refund that was begun of each order that has any. */
async function lastRefunds(
  db: Database,
  orderIds: string[],
): Promise<Map<string, { state: RefundState }>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([refunds.orderId], { orderId: refunds.orderId, state: refunds.state })
    .from(refunds)
    .where(inArray(refunds.orderId, orderIds))
    .orderBy(refunds.orderId, desc(refunds.createdAt));
  return new Map(rows.map(({ orderId, ...refund }) => [orderId, refund]));
}

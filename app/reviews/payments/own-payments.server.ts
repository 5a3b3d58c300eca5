import { and, eq, sql } from "drizzle-orm";
import { orders } from "../../payments/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Order, readPage } from "../../platform/list.server.ts";
import { type OwnRefund, readRefundTerms } from "../refunds/ask-for-refund.server.ts";
import type { RefundTerms } from "../refunds/terms.ts";
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
  /** What is possible with its money now, and the last refund of it that was begun. */
  terms: RefundTerms;
  refund: OwnRefund | null;
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
  const ids = rows.map(({ orderId }) => orderId);
  const terms = await readRefundTerms(db, actor, ids);
  const payments = rows.flatMap(({ serviceType, amountPaise, ...row }) => {
    const read = terms.get(row.orderId);
    if (!read) return [];
    const { terms: possible, refund } = read;
    const service = nameOf(serviceType);
    return [{ ...row, service, amountPaise: amountPaise ?? 0, terms: possible, refund }];
  });
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

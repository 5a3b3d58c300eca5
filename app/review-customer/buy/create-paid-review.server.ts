import { and, eq, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { PaidOrder } from "../../payments/payments.server.ts";
import { reportPaidWithoutAccountLater } from "../../payments/emails.tsx";
import { recordPaidTwice } from "../../payments/order-records.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { addBrief } from "../../reviews/brief/brief.server.ts";
import type { OrderedMaterials } from "./review-payments.server.ts";
import { lockReview } from "../../reviews/locks.server.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { ensurePages } from "../../annotations/document-pages/pages.server.ts";
import { reviewDrafts, reviewOrders, serviceReviews } from "../../reviews/tables.server.ts";
import type { Sender } from "../../mail/deliver-mail.server.ts";
import {
  notifyOfPurchaseLater,
  notifyOfSecondLookPaidTwiceLater,
  notifyOfSecondPaymentLater,
} from "./emails.server.tsx";

/**
 * Creates the review that an order paid for, in the transaction that settles the order. Calling it again changes
 * nothing. The review is due after the hours bought, counted from the payment. The draft is deleted unless it changed
 * since the payment started. A buyer who paid for the same materials before has bought a second review and is
 * notified. A second look is delivered once: a second payment for it delivers nothing, an admin refunds it and its buyer
 * is notified. If the buyer's account is deleted, support is notified instead.
 *
 * @throws {Error} when the order was not for a review.
 */
export async function createPaidReview(
  tx: Database,
  sender: Sender,
  { orderId, buyerId, settledAt }: PaidOrder,
): Promise<void> {
  const ordered = await getOrderedMaterials(tx, orderId);
  // A deleted account has no one to read a review, so the payment has to be refunded.
  if (!buyerId) return reportPaidWithoutAccountLater(tx, sender, orderId);
  const { draftId, draftRevision, brief, ...materials } = ordered;
  const { secondLookOf } = materials;
  const service = getBoughtService(materials);
  const earlier = secondLookOf
    ? await findDeliveredLook(tx, orderId, ordered, secondLookOf)
    : await findEarlierPayment(tx, orderId, ordered);
  if (earlier && secondLookOf) {
    await recordPaidTwice(tx, orderId);
    await notifyOfSecondLookPaidTwiceLater(tx, sender, { buyerId, service, orderId, earlier });
    return;
  }
  const [review] = await tx
    .insert(serviceReviews)
    .values({
      userId: buyerId,
      orderId,
      ...materials,
      status: "pending",
      priority: service.startPriority,
      createdAt: now(),
      dueAt: new Date(settledAt.getTime() + service.turnaroundHours * hour),
    })
    .onConflictDoNothing({ target: serviceReviews.orderId })
    .returning({ id: serviceReviews.id });
  if (review) {
    await addBrief(tx, review.id, brief);
    await notifyOfPurchaseLater(tx, sender, review.id);
  }
  if (earlier && review) {
    await recordPaidTwice(tx, orderId);
    await notifyOfSecondPaymentLater(tx, sender, { buyerId, service, orderId, earlier });
  }
  // A rendering problem must not block the payment. Opening the review starts the rendering again.
  await ensurePages(tx, materials).catch(() => {});
  await tx
    .delete(reviewDrafts)
    .where(
      and(
        eq(reviewDrafts.id, draftId),
        eq(reviewDrafts.revision, draftRevision),
        eq(reviewDrafts.userId, buyerId),
      ),
    );
}

async function getOrderedMaterials(tx: Database, orderId: string): Promise<OrderedMaterials> {
  const [row] = await tx.select().from(reviewOrders).where(eq(reviewOrders.orderId, orderId));
  if (!row) throw new Error(`Order ${orderId} is not for a review.`);
  const { orderId: _, ...ordered } = row;
  return ordered;
}

/** Finds an earlier order that paid for the same materials. The lock serializes two that settle at once. */
async function findEarlierPayment(
  tx: Database,
  orderId: string,
  ordered: OrderedMaterials,
): Promise<string | undefined> {
  const { draftId } = ordered;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`paid:${draftId}`}, 0))`);
  return findReviewedOrder(tx, orderId, isOfSameDraft(ordered));
}

/**
 * Finds another order that bought the same second look: one that is still open, or one of the same materials. The lock
 * of the earlier review serializes two that settle at once.
 */
async function findDeliveredLook(
  tx: Database,
  orderId: string,
  ordered: OrderedMaterials,
  secondLookOf: string,
): Promise<string | undefined> {
  await lockReview(tx, secondLookOf);
  const isDelivered = and(
    eq(serviceReviews.secondLookOf, secondLookOf),
    isNull(serviceReviews.withdrawnAt),
    or(ne(serviceReviews.status, "completed"), isOfSameDraft(ordered)),
  );
  return findReviewedOrder(tx, orderId, isDelivered);
}

function isOfSameDraft({ draftId, draftRevision }: OrderedMaterials): SQL | undefined {
  return and(eq(reviewOrders.draftId, draftId), eq(reviewOrders.draftRevision, draftRevision));
}

/** Finds another order with a review for which this condition is true. */
async function findReviewedOrder(
  tx: Database,
  orderId: string,
  condition: SQL | undefined,
): Promise<string | undefined> {
  const [row] = await tx
    .select({ orderId: reviewOrders.orderId })
    .from(serviceReviews)
    .innerJoin(reviewOrders, eq(reviewOrders.orderId, serviceReviews.orderId))
    .where(and(ne(reviewOrders.orderId, orderId), condition))
    .limit(1);
  return row?.orderId;
}

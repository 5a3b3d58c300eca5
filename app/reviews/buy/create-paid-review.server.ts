import { and, eq, ne, sql } from "drizzle-orm";
import type { PaidOrder } from "../../payments/payments.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { type ReviewPurpose, reviewPurpose } from "./review-purpose.server.ts";
import { services } from "../rules.ts";
import { reviewDrafts, serviceReviews } from "../tables.server.ts";
import { type Sender, notifyOfSecondPaymentLater } from "../emails.server.tsx";

/**
 * Makes the review that an order has paid for, in the transaction that settles the order; exactly one,
 * however often it is called. The draft goes, unless it has changed since the payment began. Who has
 * paid for the same materials before has bought a second review, and is told so.
 *
 * @throws {ZodError} when the order was not for a review.
 */
export async function createPaidReview(
  tx: Database,
  sender: Sender,
  order: PaidOrder,
): Promise<void> {
  const purpose = reviewPurpose.parse(order.purpose);
  // Whose account is gone has nobody left to read a review; the order stays for a refund.
  const { orderId, buyerId } = order;
  if (!buyerId) return;
  const earlier = await findTwin(tx, order, purpose);
  const made = await tx
    .insert(serviceReviews)
    .values({
      userId: buyerId,
      orderId,
      serviceType: purpose.serviceType,
      status: "pending",
      resumeFilePath: purpose.resumePath,
      portfolioUrl: purpose.portfolioUrl,
      portfolioFilePath: purpose.portfolioPath,
      priority: services[purpose.serviceType].startPriority,
      createdAt: now(),
    })
    .onConflictDoNothing({ target: serviceReviews.orderId })
    .returning({ id: serviceReviews.id });
  if (earlier && made.length > 0) {
    const { serviceType } = purpose;
    await notifyOfSecondPaymentLater(tx, sender, { buyerId, serviceType, orderId, earlier });
  }
  await tx
    .delete(reviewDrafts)
    .where(
      and(
        eq(reviewDrafts.id, purpose.draftId),
        eq(reviewDrafts.revision, purpose.draftRevision),
        eq(reviewDrafts.userId, buyerId),
      ),
    );
}

/** The order by which the same materials were paid before; two settled at once come one after the other. */
async function findTwin(
  tx: Database,
  { orderId }: PaidOrder,
  { draftId, draftRevision }: ReviewPurpose,
): Promise<string | undefined> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`paid:${draftId}`}, 0))`);
  const [twin] = await tx
    .select({ orderId: orders.orderId })
    .from(serviceReviews)
    .innerJoin(orders, eq(orders.orderId, serviceReviews.orderId))
    .where(
      and(
        ne(orders.orderId, orderId),
        sql`${orders.purpose}->>'draftId' = ${draftId}`,
        sql`${orders.purpose}->>'draftRevision' = ${String(draftRevision)}`,
      ),
    )
    .limit(1);
  return twin?.orderId;
}

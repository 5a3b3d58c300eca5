import { and, eq } from "drizzle-orm";
import type { PaidOrder } from "../payments/payments.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { reviewPurpose } from "./review-purpose.server.ts";
import { services } from "./rules.ts";
import { reviewDrafts, serviceReviews } from "./tables.server.ts";

/**
 * Makes the review that an order has paid for, in the transaction that settles the order; exactly one,
 * however often it is called. The draft goes, unless it has changed since the payment began.
 *
 * @throws {ZodError} when the order was not for a review.
 */
export async function createPaidReview(tx: Database, order: PaidOrder): Promise<void> {
  const purpose = reviewPurpose.parse(order.purpose);
  // Whose account is gone has nobody left to read a review; the order stays for a refund.
  if (!order.buyerId) return;
  await tx
    .insert(serviceReviews)
    .values({
      userId: order.buyerId,
      orderId: order.orderId,
      serviceType: purpose.serviceType,
      status: "pending",
      resumeFilePath: purpose.resumePath,
      portfolioUrl: purpose.portfolioUrl,
      portfolioFilePath: purpose.portfolioPath,
      priority: services[purpose.serviceType].startPriority,
      createdAt: now(),
    })
    .onConflictDoNothing({ target: serviceReviews.orderId });
  await tx
    .delete(reviewDrafts)
    .where(
      and(
        eq(reviewDrafts.id, purpose.draftId),
        eq(reviewDrafts.revision, purpose.draftRevision),
        eq(reviewDrafts.userId, order.buyerId),
      ),
    );
}

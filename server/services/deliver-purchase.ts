import type { PaidOrder, PurchaseFact } from "../../app/payments/payments.server.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { createPaidReview } from "../../app/review-customer/buy/create-paid-review.server.ts";
import { describePaidReview } from "../../app/reviews/due-dates/due-dates.server.ts";
import type { ReviewPurpose } from "../../app/review-customer/buy/review-payments.server.ts";

/** Everything that can be bought. */
type Purpose = ReviewPurpose;

/**
 * Hands over what an order has paid for, in the transaction that settles it: the one place that
 * knows both payments and what is sold.
 *
 * @throws {Error} for an order of a kind that is not known; it stays unsettled and is tried again.
 */
export async function deliverPurchase(
  config: Pick<Config, "origin" | "product">,
  tx: Database,
  order: PaidOrder,
): Promise<void> {
  const { kind } = order.purpose as Purpose;
  switch (kind) {
    case "review":
      return createPaidReview(tx, config, order);
    default:
      throw new Error(
        `Nobody knows what order ${order.orderId} was for: ${String(kind satisfies never)}`,
      );
  }
}

/** Says of a paid order what its buyer wants to know at once; nothing of a kind that is not known. */
export async function describePurchase(
  db: Database,
  { orderId, purpose }: Pick<PaidOrder, "orderId" | "purpose">,
): Promise<PurchaseFact[]> {
  return (purpose as Purpose).kind === "review" ? describePaidReview(db, orderId) : [];
}

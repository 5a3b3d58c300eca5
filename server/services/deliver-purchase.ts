import type { PaidOrder, PurchaseFact } from "../../app/payments/payments.server.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { createPaidReview } from "../../app/review-customer/buy/create-paid-review.server.ts";
import { describePaidReview } from "../../app/reviews/due-dates/due-dates.server.ts";
import type { ReviewPurpose } from "../../app/review-customer/buy/review-payments.server.ts";

/** The purposes of orders, one for each kind of product. */
type Purpose = ReviewPurpose;

/**
 * Delivers a paid order, in the transaction that settles it. Only this module connects payments with
 * products.
 *
 * @throws {Error} for an unknown purpose; the order stays unsettled and is retried.
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
        `Order ${order.orderId} has an unknown purpose: ${String(kind satisfies never)}`,
      );
  }
}

/** Returns the facts about a paid order that its buyer sees first; none for an unknown purpose. */
export async function describePurchase(
  db: Database,
  { orderId, purpose }: Pick<PaidOrder, "orderId" | "purpose">,
): Promise<PurchaseFact[]> {
  return (purpose as Purpose).kind === "review" ? describePaidReview(db, orderId) : [];
}

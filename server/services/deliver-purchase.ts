import type { PaidOrder, PurchaseFact } from "../../app/payments/payments.server.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { refundForClosedAccount } from "../../app/payments/refunds/refund-orders.server.ts";
import { createPaidReview } from "../../app/review-customer/buy/create-paid-review.server.ts";
import { describePaidReview } from "../../app/reviews/due-dates/due-dates.server.ts";
import { describePaidListing, deliverListing } from "../../app/posting/deliver-listing.server.tsx";
import { toDecisionSettings } from "../../app/posting/create-submitted-job.server.tsx";
import type { ListingPurpose } from "../../app/posting/rules.ts";
import type { ReviewPurpose } from "../../app/review-customer/buy/review-payments.server.ts";

/** The purposes of orders, one for each kind of product. */
type Purpose = ReviewPurpose | ListingPurpose;

/**
 * Delivers a paid order, in the transaction that settles it. Only this module connects payments with
 * products. If the buyer has closed their account, the payment is refunded and nothing is delivered.
 *
 * @throws {Error} for an unknown purpose; the order stays unsettled and is retried.
 */
export async function deliverPurchase(
  config: Config,
  tx: Database,
  order: PaidOrder,
): Promise<void> {
  if (await refundForClosedAccount(tx, config, order)) return;
  const purpose = order.purpose as Purpose;
  switch (purpose.kind) {
    case "review":
      return createPaidReview(tx, config, order);
    case "listing":
      return deliverListing(tx, toDecisionSettings(config), { ...order, purpose });
    default: {
      const { kind } = purpose satisfies never as { kind: unknown };
      throw new Error(`Order ${order.orderId} has an unknown purpose: ${String(kind)}`);
    }
  }
}

/** Returns the facts about a paid order that its buyer sees first; none for an unknown purpose. */
export async function describePurchase(
  db: Database,
  order: Pick<PaidOrder, "orderId" | "purpose">,
): Promise<PurchaseFact[]> {
  const purpose = order.purpose as Purpose;
  switch (purpose.kind) {
    case "review":
      return describePaidReview(db, order.orderId);
    case "listing":
      return describePaidListing(db, purpose);
    default:
      return [];
  }
}

import { minute, now } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { paymentsByOutcome } from "../platform/metrics.server.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { formatDecimalRupees } from "./money.ts";
import { countTry, type RateLimit } from "../platform/rate-limit.server.ts";
import { getNextOrderCheck } from "./order-expiry.ts";
import { createPaymentId } from "./order-records.server.ts";
import type { Payments } from "./payments.server.ts";
import { buildCheckoutFields } from "./payu.server.ts";
import { getSellerFacts } from "./seller-facts.server.ts";
import { orderEvents, orders } from "./tables.server.ts";
import { getTaxFacts } from "./buyer-place.server.ts";
import type { BuyerPlace } from "./tax/buyer-place.ts";

type OrderToStart = {
  buyer: { id: string; email: string; fullName: string | null; phone: string | null };
  /** Comes from the server's price list, never from the browser. */
  amountPaise: number;
  productInfo: string;
  /** The service accounting code of the purchase; null or undefined if there is none. */
  serviceCode: string | null | undefined;
  serviceType: string;
  /** The place of the buyer for GST; null if the seller isn't registered. */
  place: BuyerPlace | null;
  /** The purchase, for `deliver`. Payments doesn't read it. */
  purpose: unknown;
  /** Our page where the buyer can try the payment again. */
  retryPath: OwnPath;
};

/** A started payment: the browser posts `fields` to `checkoutUrl`. */
export type StartedOrder = { orderId: string; checkoutUrl: string; fields: Record<string, string> };

const startByBuyer: RateLimit = { name: "payment-start", max: 10, windowMs: 15 * minute };

/**
 * Creates a pending order and signs the form that leads to the provider.
 *
 * @throws {TooMany} if the buyer started too many payments in 15 minutes
 */
export async function startOrder(
  tx: Database,
  { config, payments }: { config: Config; payments: Pick<Payments, "settings"> },
  order: OrderToStart,
): Promise<StartedOrder> {
  const { buyer, amountPaise, purpose, retryPath } = order;
  await countTry({ db: tx, config }, startByBuyer, buyer.id);

  const createdAt = now();
  const orderId = createPaymentId("TXN_", createdAt);
  const { settings } = payments;
  const fields = buildCheckoutFields(settings, {
    txnId: orderId,
    amountPaise,
    productInfo: order.productInfo,
    firstName: buyer.fullName ?? "",
    email: buyer.email,
    phone: buyer.phone,
    serviceType: order.serviceType,
    supportEmail: config.product.supportEmail,
    surl: `${config.origin}/payment-success?txnId=${orderId}`,
    furl: `${config.origin}/payment-failure?txnId=${orderId}`,
  });
  const amount = formatDecimalRupees(amountPaise);
  await tx.insert(orders).values({
    orderId,
    buyerId: buyer.id,
    amount,
    ...getSellerFacts(config.product, order.serviceCode),
    ...getTaxFacts(config.product, order.place, amountPaise),
    status: "pending",
    purpose,
    retryPath,
    createdAt,
    checkoutFields: fields,
    nextCheckAt: getNextOrderCheck(createdAt, createdAt),
  });
  await tx.insert(orderEvents).values({
    orderId,
    at: createdAt,
    source: "start",
    said: amount,
    outcome: "pending",
  });
  paymentsByOutcome.inc({ outcome: "started" });
  return { orderId, checkoutUrl: settings.checkoutUrl, fields };
}

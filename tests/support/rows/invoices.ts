import { randomUUID } from "node:crypto";
import { getTaxFacts } from "../../../app/payments/buyer-place.server.ts";
import { createInvoice } from "../../../app/payments/invoices.server.ts";
import { formatDecimalRupees } from "../../../app/payments/money.ts";
import { createCreditNote } from "../../../app/payments/refunds/credit-notes.server.ts";
import { refunds } from "../../../app/payments/refunds/tables.server.ts";
import { getSellerFacts } from "../../../app/payments/seller-facts.server.ts";
import type { orders } from "../../../app/payments/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { price } from "../payments/payments.ts";
import { gstSettings, testConfig } from "../product/config.ts";
import { order } from "./refunds.ts";

const { product } = testConfig(gstSettings);

type Sale = {
  state?: string;
  gstin?: string | null;
  amountPaise?: number;
  fields?: Partial<typeof orders.$inferInsert>;
};

/** Inserts a paid order of a seller in Rajasthan, with the tax that it includes, but without its invoice. */
export function taxedOrder(
  db: Database,
  buyer: { id: string } | null,
  { state = "Rajasthan", gstin = null, amountPaise = price, fields }: Sale = {},
): Promise<string> {
  return order(db, buyer, {
    amount: formatDecimalRupees(amountPaise),
    capturedPaise: amountPaise,
    checkoutFields: { firstname: "Customer", productinfo: "Resume Review" },
    ...getSellerFacts(product, product.tax?.reviewCode),
    ...getTaxFacts(product, { state, gstin }, amountPaise),
    ...fields,
  });
}

/** Inserts a paid order with its invoice. */
export async function invoicedOrder(
  db: Database,
  buyer: { id: string } | null,
  sale: Sale = {},
): Promise<string> {
  const orderId = await taxedOrder(db, buyer, sale);
  await db.transaction((tx) => createInvoice(tx, orderId));
  return orderId;
}

/** Inserts a settled refund of an order, with the credit note if it cancels an invoice. */
export async function settledRefund(
  db: Database,
  { orderId, providerPaymentId, capturedPaise }: typeof orders.$inferSelect,
  fields: Partial<typeof refunds.$inferInsert> = {},
): Promise<void> {
  const at = now();
  await db.transaction(async (tx) => {
    const [refund] = await tx
      .insert(refunds)
      .values({
        orderId,
        token: randomUUID().slice(0, 23),
        paymentId: providerPaymentId!,
        amountPaise: capturedPaise!,
        grounds: "decided",
        state: "settled",
        createdAt: at,
        endedAt: at,
        ...fields,
      })
      .returning();
    await createCreditNote(tx, refund!);
  });
}

import { eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { createDocumentNumber, documentSeries } from "../document-numbers.server.ts";
import { invoices, orders } from "../tables.server.ts";
import { creditNotes, type refunds } from "./tables.server.ts";

/**
 * Adds the credit note of an invoice in the transaction that records its refund as settled. It is the transaction's
 * last step, since it locks the series. A refund of another amount or of another payment cancels no invoice.
 */
export async function createCreditNote(
  tx: Database,
  refund: Pick<typeof refunds.$inferSelect, "id" | "orderId" | "amountPaise" | "paymentId">,
): Promise<void> {
  const { id: refundId, orderId, amountPaise, paymentId } = refund;
  const [invoiced] = await tx
    .select({ amountPaise: invoices.amountPaise, paymentId: orders.providerPaymentId })
    .from(invoices)
    .innerJoin(orders, eq(orders.orderId, invoices.orderId))
    .where(eq(invoices.orderId, orderId));
  if (invoiced?.amountPaise !== amountPaise || invoiced.paymentId !== paymentId) return;
  const number = await createDocumentNumber(tx, documentSeries.creditNote);
  await tx.insert(creditNotes).values({ orderId, ...number, refundId });
}

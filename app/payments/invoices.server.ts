import { and, eq, isNotNull } from "drizzle-orm";
import { profiles } from "../accounts/tables.server.ts";
import type { Database } from "../platform/database.server.ts";
import { createDocumentNumber, documentSeries } from "./document-numbers.server.ts";
import { invoices, orders } from "./tables.server.ts";

/**
 * Adds the invoice of an order in the transaction that marks it as paid. It is the transaction's last step, since it
 * locks the series. An order of a seller without a GSTIN gets none.
 */
export async function createInvoice(tx: Database, orderId: string): Promise<void> {
  const [order] = await tx
    .select({ facts: orders, fullName: profiles.fullName })
    .from(orders)
    .leftJoin(profiles, eq(profiles.id, orders.buyerId))
    .where(and(eq(orders.orderId, orderId), isNotNull(orders.taxablePaise)));
  if (!order) return;
  const { facts, fullName } = order;
  // These were stored together with the tax.
  const seller = {
    productName: facts.productName!,
    sellerName: facts.sellerName!,
    sellerAddress: facts.sellerAddress!,
    sellerGstin: facts.sellerGstin!,
    sellerState: facts.sellerState!,
    serviceCode: facts.serviceCode,
    taxRate: facts.taxRate!,
  };
  const tax = {
    amountPaise: facts.amountPaise!,
    taxablePaise: facts.taxablePaise!,
    cgstPaise: facts.cgstPaise!,
    sgstPaise: facts.sgstPaise!,
    igstPaise: facts.igstPaise!,
  };
  await tx.insert(invoices).values({
    orderId,
    ...(await createDocumentNumber(tx, documentSeries.invoice)),
    ...seller,
    ...tax,
    // A deleted account leaves only the name that the provider got.
    buyerName: fullName?.trim() || facts.checkoutFields.firstname || "Customer",
    buyerState: facts.buyerState!,
    buyerGstin: facts.buyerGstin,
    description: facts.checkoutFields.productinfo ?? "Order",
  });
}

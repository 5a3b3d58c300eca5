import type { Product } from "../platform/config.server.ts";
import type { orders } from "./tables.server.ts";

/** The columns of an order that say who sold it, and with which tax. */
type SellerFacts = Required<
  Pick<
    typeof orders.$inferInsert,
    | "productName"
    | "sellerName"
    | "sellerAddress"
    | "sellerGstin"
    | "sellerState"
    | "serviceCode"
    | "taxRate"
  >
>;

/**
 * Collects today's facts about the seller, for an order that starts now.
 *
 * @param serviceCode the service accounting code of the purchase. It counts only if the seller is registered for GST.
 */
export function getSellerFacts(
  { name, merchant, address, tax }: Pick<Product, "name" | "merchant" | "address" | "tax">,
  serviceCode: string | null | undefined,
): SellerFacts {
  return {
    productName: name,
    sellerName: merchant,
    sellerAddress: address,
    sellerGstin: tax?.gstin ?? null,
    sellerState: tax?.state ?? null,
    serviceCode: (tax && serviceCode) ?? null,
    taxRate: tax?.rate ?? null,
  };
}

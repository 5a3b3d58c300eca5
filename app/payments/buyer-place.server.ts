import { and, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Product } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { Invalid } from "../platform/errors.ts";
import { orders } from "./tables.server.ts";
import {
  type BuyerPlace,
  buyerStates,
  type OfferedPlace,
  parseBuyerPlace,
  type TypedPlace,
} from "./tax/buyer-place.ts";
import { computeTaxSplit } from "./tax/tax-split.ts";

/**
 * Checks what a buyer entered before payment.
 *
 * @returns null if the seller isn't registered for GST
 * @throws {Invalid} with a message for `state` or `gstin`
 */
export function requireBuyerPlace(
  { tax }: Pick<Product, "tax">,
  typed: TypedPlace,
): BuyerPlace | null {
  if (!tax) return null;
  const parsed = parseBuyerPlace(typed);
  if ("errors" in parsed) throw new Invalid(parsed.errors);
  return parsed.place;
}

/** The columns of an order with its buyer's place and the tax that its amount includes. */
type TaxFacts = Required<
  Pick<
    typeof orders.$inferInsert,
    "buyerState" | "buyerGstin" | "taxablePaise" | "cgstPaise" | "sgstPaise" | "igstPaise"
  >
>;

/** Computes the tax of an order that starts now. Everything is null if the seller isn't registered for GST. */
export function getTaxFacts(
  { tax }: Pick<Product, "tax">,
  place: BuyerPlace | null,
  amountPaise: number,
): TaxFacts {
  if (!tax || !place) return noTax;
  const split = computeTaxSplit(amountPaise, tax.rate, place.state === tax.state);
  return { buyerState: place.state, buyerGstin: place.gstin, ...split };
}

const noTax: TaxFacts = {
  buyerState: null,
  buyerGstin: null,
  taxablePaise: null,
  cgstPaise: null,
  sgstPaise: null,
  igstPaise: null,
};

/** True in SQL for an order that was started with the same place. */
export function hasPlace(place: BuyerPlace | null): SQL | undefined {
  if (!place) return isNull(orders.buyerState);
  const { state, gstin } = place;
  const isSameGstin = gstin ? eq(orders.buyerGstin, gstin) : isNull(orders.buyerGstin);
  return and(eq(orders.buyerState, state), isSameGstin);
}

/**
 * Finds what a person entered for their last order. The GSTIN is offered only for the same kind of purchase, since
 * a company that pays for listings doesn't pay for its members' reviews.
 *
 * @param kind of purchase, as in the order's purpose
 * @returns null if the seller isn't registered for GST, and nothing is asked
 */
export async function findOfferedPlace(
  db: Database,
  { tax }: Pick<Product, "tax">,
  buyer: { id: string },
  kind: string,
): Promise<OfferedPlace | null> {
  if (!tax) return null;
  const [last] = await db
    .select({
      state: orders.buyerState,
      gstin: orders.buyerGstin,
      isSameKind: sql<boolean>`${orders.purpose} ->> 'kind' = ${kind}`,
    })
    .from(orders)
    .where(and(eq(orders.buyerId, buyer.id), isNotNull(orders.buyerState)))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  const gstin = (last?.isSameKind && last.gstin) || "";
  return { state: last?.state ?? "", gstin, states: buyerStates };
}

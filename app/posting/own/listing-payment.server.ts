import { and, eq, gt, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { hasProviderCallback, reusableFor } from "../../payments/earlier-orders.server.ts";
import type { Payments } from "../../payments/payments.server.ts";
import { type StartedOrder, startOrder } from "../../payments/start-order.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { hasPlace, requireBuyerPlace } from "../../payments/buyer-place.server.ts";
import type { BuyerPlace, TypedPlace } from "../../payments/tax/buyer-place.ts";
import { day, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { lockOwnSubmission } from "./own-submissions.server.ts";
import { listingProduct, type ListingPurpose, messages } from "../rules.ts";

type Parts = { config: Config; payments: Pick<Payments, "settings"> };

/**
 * Starts the payment for an approved listing, at the price of the approval. Sending the form again returns the same payment
 * until its buyer returns from the provider.
 *
 * @param version of the listing that the person saw
 * @param typedPlace the State and the GSTIN as typed; ignored if the seller isn't registered for GST
 * @throws {Invalid} if the State or the GSTIN is missing or wrong
 * @throws {NotFound} for another company's listing
 * @throws {Conflict} if it isn't payable, if the time to pay has ended, and while an earlier payment may still succeed
 * @throws {TooMany} when the person started too many payments recently
 */
export async function startListingPayment(
  db: Database,
  parts: Parts,
  actor: Actor | null,
  { id, version, typedPlace = {} }: { id: string; version: number; typedPlace?: TypedPlace },
): Promise<StartedOrder> {
  authorize(actor, "job.post");
  return db.transaction(async (tx) => {
    const listing = await lockOwnSubmission(tx, actor, id);
    if (listing.state !== "payable" || listing.price === null)
      throw new Conflict(messages.notPayable);
    if (listing.version !== version) throw new Conflict(messages.changedMeanwhile);
    if (!listing.payableUntil || listing.payableUntil <= now())
      throw new Conflict(messages.payingOver);
    const purpose: ListingPurpose = { kind: "listing", submissionId: listing.id, version };
    const place = requireBuyerPlace(parts.config.product, typedPlace);
    const pending = await listPendingOrders(tx, purpose, place);
    if (pending.some(({ isReported }) => isReported)) throw new Conflict(messages.paidBefore);
    const reusable = pending.find(
      ({ buyerId, createdAt, isSamePlace }) =>
        buyerId === actor.id && isSamePlace && now().getTime() - createdAt.getTime() < reusableFor,
    );
    if (reusable) {
      const { orderId, fields } = reusable;
      return { orderId, fields, checkoutUrl: parts.payments.settings.checkoutUrl };
    }
    const [profile] = await tx
      .select({ phone: profiles.phone })
      .from(profiles)
      .where(eq(profiles.id, actor.id));
    return startOrder(tx, parts, {
      buyer: { ...actor, phone: profile?.phone ?? null },
      amountPaise: listing.price,
      productInfo: listingProduct,
      serviceCode: parts.config.product.tax?.listingCode,
      serviceType: purpose.kind,
      place,
      purpose,
      retryPath: `/post/${listing.id}/preview`,
    });
  });
}

/** The period in which we keep checking a payment with the provider. */
const unsettledFor = 7 * day;

/** Lists the unsettled payments for a listing, by any member. */
async function listPendingOrders(tx: Database, purpose: ListingPurpose, place: BuyerPlace | null) {
  return tx
    .select({
      orderId: orders.orderId,
      buyerId: orders.buyerId,
      createdAt: orders.createdAt,
      fields: orders.checkoutFields,
      isReported: sql<boolean>`${hasProviderCallback(tx)}`,
      isSamePlace: sql<boolean>`${hasPlace(place)}`,
    })
    .from(orders)
    .where(
      and(
        eq(orders.status, "pending"),
        gt(orders.createdAt, new Date(now().getTime() - unsettledFor)),
        sql`${orders.purpose} @> ${JSON.stringify(purpose)}::jsonb`,
      ),
    );
}

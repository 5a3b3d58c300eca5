import { and, desc, eq, notInArray, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { creditNotes, refunds } from "../../payments/refunds/tables.server.ts";
import { invoices, orders } from "../../payments/tables.server.ts";
import type { Config } from "../../platform/config.server.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";
import type { Database } from "../../platform/database.server.ts";
import { buildOrder, readPage } from "../../platform/lists/list.server.ts";
import { type OwnPath, parseOwnPath } from "../../platform/own-path.ts";
import { type OwnRefund, listRefundTerms } from "../refunds/refunds.server.ts";
import type { RefundTerms } from "../refunds/terms.ts";
import { listingProduct } from "../../posting/rules.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { reviewOrders, serviceReviews } from "../../reviews/tables.server.ts";
import { toCreditNoteDocument, toInvoiceDocument } from "./invoice-documents.ts";
import {
  formatReceiptMoment,
  type OrderStatus,
  type Receipt,
  toReceiptDocument,
  toReceiptRefund,
} from "./rules.ts";

export type OwnPayment = {
  orderId: string;
  /** The name of the purchase. */
  service: string;
  /** True for a listing, false for a review. */
  isListing: boolean;
  amountPaise: number;
  status: OrderStatus;
  startedAt: Date;
  /** The path on our site for paying again. */
  retryPath: OwnPath | null;
  /** The review that this payment bought. */
  reviewId: string | null;
  /** True if it has an invoice instead of a receipt. */
  isInvoiced: boolean;
  /** The available refund actions. */
  terms: RefundTerms;
  refund: OwnRefund | null;
};

export const ownPaymentsPerPage = 20;

/**
 * Lists a person's payments and payment attempts, newest first.
 *
 * @param after the cursor from an earlier page; null or an invalid one gives the first page
 */
export async function listOwnPayments(
  db: Database,
  actor: { id: string },
  after: string | null = null,
) {
  const { rows, next } = await readPage(
    newestFirst,
    { cursor: after, size: ownPaymentsPerPage },
    (part) =>
      db
        .select({
          orderId: orders.orderId,
          serviceType: boughtType,
          secondLookOf: boughtSecondLook,
          isListing: isListingOrder,
          amountPaise: orders.amountPaise,
          status: orders.status,
          startedAt: orders.createdAt,
          retryPath: orders.retryPath,
          reviewId: serviceReviews.id,
          isInvoiced: sql<boolean>`${invoices.orderId} is not null`,
        })
        .from(orders)
        .leftJoin(invoices, eq(invoices.orderId, orders.orderId))
        .leftJoin(reviewOrders, eq(reviewOrders.orderId, orders.orderId))
        .leftJoin(serviceReviews, eq(serviceReviews.orderId, orders.orderId))
        .where(and(eq(orders.buyerId, actor.id), part.where))
        .orderBy(...part.orderBy)
        .limit(part.limit),
  );
  const ids = rows.map(({ orderId }) => orderId);
  const terms = await listRefundTerms(db, actor, ids);
  const payments = rows.flatMap(({ amountPaise, retryPath, serviceType, secondLookOf, ...row }) => {
    const own = terms.get(row.orderId);
    if (!own) return [];
    const view = {
      ...row,
      ...own,
      service: formatPaymentName({ ...row, serviceType, secondLookOf }),
    };
    return [{ ...view, amountPaise: amountPaise ?? 0, retryPath: parseOwnPath(retryPath) }];
  });
  return { payments, next };
}

const newestFirst = buildOrder("desc", { startedAt: orders.createdAt, orderId: orders.orderId });

/** The type of the bought review. An imported payment has it only on its review. */
const boughtType = sql<ServiceType | null>`coalesce(${serviceReviews.serviceType}, ${reviewOrders.serviceType})`;

/** The earlier review, if this order is for a second look. */
const boughtSecondLook = sql<
  string | null
>`coalesce(${serviceReviews.secondLookOf}, ${reviewOrders.secondLookOf})`;

const isListingOrder = sql<boolean>`${orders.purpose} ->> 'kind' = 'listing'`;

/** Formats the name of a payment; a generic one when the type is unknown. */
function formatPaymentName({
  serviceType,
  secondLookOf,
  isListing,
}: {
  serviceType: ServiceType | null;
  secondLookOf: string | null;
  isListing: boolean;
}): string {
  if (isListing) return listingProduct;
  return serviceType ? getBoughtService({ serviceType, secondLookOf }).label : "Payment";
}

/**
 * Lists what proves the payment of an order, for its buyer and for god admins: its invoice and the credit note, or else
 * its receipt.
 *
 * @returns an empty list for any other order, existing or not
 */
export async function listDocuments(
  db: Database,
  actor: Pick<Actor, "id" | "isGodAdmin">,
  orderId: string,
  product: Config["product"],
): Promise<PaymentDocument[]> {
  const [invoiced] = await db
    .select({ invoice: invoices, creditNote: creditNotes })
    .from(orders)
    .innerJoin(invoices, eq(invoices.orderId, orders.orderId))
    .leftJoin(creditNotes, eq(creditNotes.orderId, orders.orderId))
    .where(and(eq(orders.orderId, orderId), isDocumentReader(actor)));
  if (invoiced) {
    const { invoice, creditNote } = invoiced;
    const invoiceDocument = toInvoiceDocument(invoice);
    return creditNote
      ? [invoiceDocument, toCreditNoteDocument(invoice, creditNote)]
      : [invoiceDocument];
  }
  const receipt = await findReceipt(db, actor, orderId, product);
  return receipt ? [toReceiptDocument(receipt)] : [];
}

function isDocumentReader(actor: Pick<Actor, "id" | "isGodAdmin">): SQL | undefined {
  return actor.isGodAdmin ? undefined : eq(orders.buyerId, actor.id);
}

/**
 * Returns the receipt of a paid order, for its buyer and for god admins.
 *
 * @returns null for any other order, existing or not
 */
export async function findReceipt(
  db: Database,
  actor: Pick<Actor, "id" | "isGodAdmin">,
  orderId: string,
  product: Config["product"],
): Promise<Receipt | null> {
  const [row] = await db
    .select({
      orderId: orders.orderId,
      serviceType: boughtType,
      secondLookOf: boughtSecondLook,
      isListing: isListingOrder,
      amountPaise: orders.amountPaise,
      createdAt: orders.createdAt,
      settledAt: orders.settledAt,
      providerPaymentId: orders.providerPaymentId,
      productName: orders.productName,
      sellerName: orders.sellerName,
      sellerAddress: orders.sellerAddress,
      gstin: orders.sellerGstin,
      state: orders.sellerState,
      serviceCode: orders.serviceCode,
      fullName: profiles.fullName,
      email: users.email,
    })
    .from(orders)
    .leftJoin(reviewOrders, eq(reviewOrders.orderId, orders.orderId))
    .leftJoin(serviceReviews, eq(serviceReviews.orderId, orders.orderId))
    .leftJoin(users, eq(users.id, orders.buyerId))
    .leftJoin(profiles, eq(profiles.id, orders.buyerId))
    .where(and(eq(orders.orderId, orderId), eq(orders.status, "success"), isDocumentReader(actor)));
  if (!row) return null;
  // At most one refund is open or settled. Failed ones before it are earlier attempts.
  const [refund] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), notInArray(refunds.state, ["asked", "declined"])))
    .orderBy(desc(refunds.createdAt), desc(refunds.id))
    .limit(1);
  return {
    orderId: row.orderId,
    // Orders of before have no facts, so the receipt shows today's seller, but no tax.
    productName: row.productName ?? product.name,
    seller: {
      name: row.sellerName ?? product.merchant,
      address: row.sellerAddress ?? product.address,
      gstin: row.gstin,
      state: row.state,
      serviceCode: row.serviceCode,
    },
    contacts: { officer: product.officer, supportEmail: product.supportEmail },
    service: formatPaymentName(row),
    amount: formatRupees(row.amountPaise ?? 0),
    paidAt: formatReceiptMoment(row.settledAt ?? row.createdAt),
    providerPaymentId: row.providerPaymentId,
    buyer: {
      name: row.fullName?.trim() || null,
      email: row.email ?? "Deleted account",
    },
    refund: refund ? toReceiptRefund(refund) : null,
  };
}

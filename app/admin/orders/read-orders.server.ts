import { and, asc, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { formatRupees, formatDecimalRupees } from "../../payments/money.ts";
import { decidedWithin, type RefundState } from "../../payments/refund-rules.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { invoices, orderEvents, orders } from "../../payments/tables.server.ts";
import { formatShortDateTime, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { buildOrder, readPageOrLast } from "../../platform/lists/list.server.ts";
import { toDueView } from "../../reviews/due-dates/due-dates.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { findPaidListing } from "../../posting/deliver-listing.server.tsx";
import type { ListingPurpose } from "../../posting/rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { matchesPeopleSearch } from "../search-people.server.ts";
import { formatOrderEvent, type OrdersQuery, refundFilters } from "./order-copy.ts";

const ordersPerPage = 50;

type ListedOrder = Awaited<ReturnType<typeof listOrders>>["rows"][number];

/**
 * Lists orders, newest first, in pages. A search matches a transaction ID, or the orders of up to a
 * thousand people whose name or email address contains it.
 */
export async function listOrders(
  db: Database,
  actor: Actor | null,
  { search, state, after }: OrdersQuery,
) {
  authorize(actor, "order.resolve");
  const page = { cursor: after, size: ordersPerPage };
  return readPageOrLast(newestFirst, page, ({ where, orderBy, limit }) =>
    db
      .select(listedColumns)
      .from(orders)
      .leftJoin(users, isOpenBuyer)
      .where(and(matchesOrderSearch(db, search), hasOrderState(db, state), where))
      .orderBy(...orderBy)
      .limit(limit),
  );
}

const newestFirst = buildOrder("desc", { createdAt: orders.createdAt, orderId: orders.orderId });

const isOpenBuyer = and(eq(users.id, orders.buyerId), isNull(users.closedAt));

const listedColumns = {
  orderId: orders.orderId,
  // Both are null if the account was deleted or closed.
  buyerId: users.id,
  buyer: users.email,
  amountPaise: sql<number>`coalesce(${orders.amountPaise}, 0)`,
  status: orders.status,
  createdAt: orders.createdAt,
  /** The state of the latest refund. */
  refund: sql<RefundState | null>`(
    select ${refunds.state} from ${refunds} where ${refunds.orderId} = ${orders.orderId}
    order by ${refunds.createdAt} desc limit 1)`,
};

const maxPeople = 1000;

/** Each condition has its own index. */
function matchesOrderSearch(db: Database, search: string): SQL | undefined {
  if (!search) return undefined;
  return or(
    eq(orders.orderId, search),
    eq(orders.providerPaymentId, search),
    matchesPeopleSearch(db, orders.buyerId, { search, max: maxPeople }),
  );
}

function hasOrderState(db: Database, state: OrdersQuery["state"]): SQL | undefined {
  if (!state) return undefined;
  const refundStates = refundFilters[state];
  if (!refundStates) return eq(orders.status, state as ListedOrder["status"]);
  const ordersWithRefund = db
    .select({ orderId: refunds.orderId })
    .from(refunds)
    .where(inArray(refunds.state, refundStates));
  return inArray(orders.orderId, ordersWithRefund);
}

/** An order with its buyer, review, refunds and events. */
type OrderFacts = Awaited<ReturnType<typeof getOrder>>;

/** @throws {NotFound} when there is no such order. */
export async function getOrder(db: Database, actor: Actor | null, orderId: string) {
  authorize(actor, "order.resolve");
  const [order] = await db
    .select({
      order: orders,
      buyer: users.email,
      buyerName: profiles.fullName,
      invoice: invoices.serial,
      review: {
        id: serviceReviews.id,
        serviceType: serviceReviews.serviceType,
        secondLookOf: serviceReviews.secondLookOf,
        status: serviceReviews.status,
        withdrawnAt: serviceReviews.withdrawnAt,
        dueAt: serviceReviews.dueAt,
        extendedTo: serviceReviews.extendedTo,
      },
    })
    .from(orders)
    .leftJoin(users, isOpenBuyer)
    .leftJoin(profiles, eq(profiles.id, orders.buyerId))
    .leftJoin(serviceReviews, eq(serviceReviews.orderId, orders.orderId))
    .leftJoin(invoices, eq(invoices.orderId, orders.orderId))
    .where(eq(orders.orderId, orderId));
  if (!order) throw new NotFound("Order not found.");
  const [orderRefunds, events] = await Promise.all([
    db
      .select()
      .from(refunds)
      .where(eq(refunds.orderId, orderId))
      .orderBy(desc(refunds.createdAt), desc(refunds.id)),
    db
      .select()
      .from(orderEvents)
      .where(eq(orderEvents.orderId, orderId))
      .orderBy(asc(orderEvents.at), asc(orderEvents.id))
      .limit(maxEvents),
  ]);
  const purpose = order.order.purpose as { kind?: unknown };
  const listing =
    purpose.kind === "listing" ? await findPaidListing(db, purpose as ListingPurpose) : null;
  return {
    ...order,
    listing,
    isListing: purpose.kind === "listing",
    refunds: orderRefunds,
    events,
  };
}

/** More than an order ever has, since few events without an effect are stored per source. */
const maxEvents = 500;

/** Formats an order for its page. */
export function toOrderView({ order, buyer, buyerName, review, refunds, ...facts }: OrderFacts) {
  const { listing, isListing, events, invoice } = facts;
  const { orderId, buyerId, status, capturedPaise, providerPaymentId, settledAt } = order;
  const isOpen = refunds.some(({ state }) =>
    ["asked", "approved", "sent", "settled"].includes(state),
  );
  return {
    order: {
      orderId,
      status,
      refund: refunds[0]?.state ?? null,
      amount: `₹${formatDecimalRupees(order.amountPaise ?? 0)}`,
      captured: capturedPaise === null ? null : `₹${formatDecimalRupees(capturedPaise)}`,
      paymentId: providerPaymentId,
      invoice,
      charges: status === "success" ? formatPayuCharges(order.providerChargesPaise) : null,
      started: formatShortDateTime(order.createdAt),
      settled: settledAt && formatShortDateTime(settledAt),
      nextCheck: order.nextCheckAt && formatShortDateTime(order.nextCheckAt),
      // A paid order stays paid; its refund can still change.
      canBeChecked:
        status !== "success" ||
        refunds.some(({ state }) => state === "approved" || state === "sent"),
      canBeRefunded: !isOpen && Boolean(capturedPaise) && providerPaymentId !== null,
    },
    buyer: buyerId && buyer && { id: buyerId, name: buyerName?.trim() || buyer, email: buyer },
    review: review && {
      label: getBoughtService(review).label,
      secondLookOf: review.secondLookOf,
      status: review.status,
      withdrawn: review.withdrawnAt && formatShortDateTime(review.withdrawnAt),
      due: toDueView(review, now()),
    },
    /** For the payment of a listing: what it published. */
    listing: isListing ? { published: listing } : null,
    refunds: refunds.map(toRefundView),
    events: events.map(({ id, at, ...event }) => ({
      id,
      when: formatShortDateTime(at),
      text: formatOrderEvent(event),
    })),
  };
}

/** Formats the charges that PayU added to a payment. */
function formatPayuCharges(paise: number | null): string {
  return paise === null ? "PayU didn't tell" : `₹${formatDecimalRupees(paise)}`;
}

export type RefundView = ReturnType<typeof toRefundView>;

function toRefundView(refund: OrderFacts["refunds"][number]) {
  const { id, state, amountPaise, createdAt, decidedAt, endedAt, requestId, token } = refund;
  const decideBy = new Date(createdAt.getTime() + decidedWithin);
  return {
    id,
    state,
    amount: formatRupees(amountPaise),
    reason: refund.reason,
    answer: refund.answer,
    failure: refund.failure,
    started: formatShortDateTime(createdAt),
    decideBy: state === "asked" ? formatShortDateTime(decideBy) : null,
    decided: decidedAt && formatShortDateTime(decidedAt),
    ended: endedAt && state !== "declined" ? formatShortDateTime(endedAt) : null,
    nextCheck: refund.nextCheckAt && formatShortDateTime(refund.nextCheckAt),
    requestId,
    token,
  };
}

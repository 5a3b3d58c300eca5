import { and, eq } from "drizzle-orm";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import type {
  PaidOrder,
  Payments,
  RefundAnswer,
  RefundCall,
  RefundStatus,
} from "../../../app/payments/payments.server.ts";
import type { Callback, Verification } from "../../../app/payments/payu.server.ts";
import { startOrder } from "../../../app/payments/start-order.server.ts";
import { orderEvents, orders } from "../../../app/payments/tables.server.ts";
import { recordAuditEvents } from "../../../app/platform/audit.server.ts";
import { type PayuSettings, readConfig } from "../../../app/platform/config.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { auditEvents } from "../../../app/platform/tables.server.ts";
import { findServiceByPath } from "../../../app/review-customer/buy/submission.ts";
import { deliverPurchase, describePurchase } from "../../../server/services/deliver-purchase.ts";

/** Payments with a provider whose answers a test sets. */
export type TestPayments = Payments & {
  /** The provider's answer about every transaction. Initially it knows none. */
  answer: Verification;
  /** The transactions that were verified. */
  asked: string[];
  /** The provider's answers to refund calls and refund status calls. */
  refundAnswer: RefundAnswer;
  refundState: RefundStatus;
  /** The refund calls and refund status calls so far. */
  called: RefundCall[];
  askedAboutRefund: (RefundCall & { requestId: string | null })[];
};

/** Payments wired as in demo mode, except for the provider. */
export function testPayments(settings: PayuSettings = readConfig({}).payu): TestPayments {
  return {
    settings,
    answer: { outcome: "not found" },
    asked: [],
    async verify(txnId) {
      this.asked.push(txnId);
      return this.answer;
    },
    refundAnswer: { outcome: "queued", requestId: "131278422" },
    refundState: { outcome: "queued", requestId: "131278422" },
    called: [],
    askedAboutRefund: [],
    async refund(call) {
      this.called.push(call);
      return this.refundAnswer;
    },
    async refundStatus(call) {
      this.askedAboutRefund.push(call);
      return this.refundState;
    },
    deliver: (tx, order) => deliverPurchase(readConfig({}), tx, order),
    describe: describePurchase,
  };
}

/** The price of every {@link startedOrder}. */
export const price = 199_00;

/** Returns the default price in paise of the review that a path sells. */
export function getReviewPrice(path: string): number {
  const service = findServiceByPath(path.replace(/\?.*/, ""));
  if (!service) throw new Error(`Nothing is sold at ${path}.`);
  return readConfig({}).reviewPrices[service.type];
}

/** The provider's answer for a successful payment. */
export const verifiedPaid: Verification = {
  outcome: "success",
  amountPaise: price,
  mihpayid: "403",
};

/** Starts an order that only {@link deliverForTest} can deliver. */
export async function startedOrder(
  db: Database,
  buyer: Actor,
  payments: Pick<Payments, "settings"> = testPayments(),
  { origin }: { origin?: string } = {},
) {
  const config = readConfig({ RATE_LIMITS: "off", ...(origin && { ORIGIN: origin }) });
  return startOrder(
    db,
    { config, payments },
    {
      buyer: { ...buyer, phone: null },
      amountPaise: price,
      productInfo: "Compass",
      serviceCode: null,
      serviceType: "compass",
      place: null,
      purpose: { kind: "compass" },
      retryPath: "/services",
    },
  );
}

/** Builds a callback for a successful payment of an order, with changes. */
export function callbackAbout(orderId: string, changes: Partial<Callback> = {}): Callback {
  return {
    txnId: orderId,
    amountPaise: price,
    keyMatches: true,
    status: "success",
    mihpayid: "403",
    unmappedStatus: "captured",
    mode: "CC",
    errorMessage: "",
    ...changes,
  };
}

/** Records each delivery as an audit event, in the same transaction. */
export async function deliverForTest(tx: Database, { orderId }: PaidOrder): Promise<void> {
  const subject = { type: "order", id: orderId };
  await recordAuditEvents(tx, [{ actor: "operator", event: "order.deliver", subject }]);
}

/** Counts the deliveries of an order by {@link deliverForTest}. */
export async function deliveriesOf(db: Database, orderId: string): Promise<number> {
  return db.$count(
    auditEvents,
    and(eq(auditEvents.event, "order.deliver"), eq(auditEvents.subjectId, orderId)),
  );
}

export async function orderRow(db: Database, orderId: string) {
  const [row] = await db.select().from(orders).where(eq(orders.orderId, orderId));
  if (!row) throw new Error(`There is no order ${orderId}.`);
  return row;
}

/** Lists the recorded events of an order, oldest first: source, content and result. */
export async function eventsOf(db: Database, orderId: string) {
  const { source, said, outcome } = orderEvents;
  return db
    .select({ source, said, outcome })
    .from(orderEvents)
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(orderEvents.at);
}

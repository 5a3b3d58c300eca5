import { orderEvents, orders } from "../../app/payments/tables.server.ts";
import type { RefundGrounds, RefundState } from "../../app/payments/refund-rules.ts";
import { refunds } from "../../app/payments/refunds/tables.server.ts";
import { getDemoPaymentId } from "../../app/payments/stand-in/refunds.server.ts";
import { day, hour } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { reviewAssignments, serviceReviews } from "../../app/reviews/tables.server.ts";
import { demoResults } from "./remarks.ts";
import type { DemoIds } from "./reviews.server.ts";

const price = 199_00;

type Plan = {
  buyer: string;
  state: RefundState;
  grounds: RefundGrounds;
  daysAgo: number;
  /** Days between the payment and the start of the refund. */
  askedAfter: number;
  /** Days between the payment and the delivery; undefined if work had not started. */
  deliveredAfter?: number;
  /** A wrong amount, which bought nothing. */
  capturedPaise?: number;
  reason?: string;
  answer?: string;
  failure?: string;
};

/** One refund in each state. Those in progress do not need an answer from the PayU stand-in. */
const plans: Plan[] = [
  { buyer: "customer26", state: "settled", grounds: "not begun", daysAgo: 12, askedAfter: 0.1 },
  { buyer: "customer27", state: "sent", grounds: "overdue", daysAgo: 4, askedAfter: 2.2 },
  {
    buyer: "customer28",
    state: "failed",
    grounds: "decided",
    daysAgo: 6,
    askedAfter: 1,
    capturedPaise: 198_00,
    reason: "The payment was one rupee short, so nothing was delivered.",
    failure: "Invalid transaction status",
  },
  {
    buyer: "customer29",
    state: "asked",
    grounds: "delivered",
    daysAgo: 2.5,
    askedAfter: 2.3,
    deliveredAfter: 1.4,
    reason: "The remarks are about an older version than the one I sent.",
  },
  {
    buyer: "customer30",
    state: "declined",
    grounds: "delivered",
    daysAgo: 15,
    askedAfter: 2.5,
    deliveredAfter: 1.2,
    reason: "I expected it to be longer.",
    answer: "Your review has a score and remarks for every criterion, as shown in our example.",
  },
];

/** Loads orders of other customers with refunds in every state. */
export async function loadDemoRefunds(tx: Database, ids: DemoIds, moment: Date): Promise<void> {
  for (const [number, plan] of plans.entries()) await loadRefund(tx, ids, plan, number, moment);
}

async function loadRefund(
  tx: Database,
  ids: DemoIds,
  plan: Plan,
  number: number,
  moment: Date,
): Promise<void> {
  const buyerId = ids.get(plan.buyer)!;
  const paidAt = new Date(moment.getTime() - plan.daysAgo * day);
  const after = (days: number) => new Date(paidAt.getTime() + days * day);
  const capturedPaise = plan.capturedPaise ?? price;
  const paymentId = getDemoPaymentId(capturedPaise, number);
  const orderId = `TXN_DEMOBACK${paidAt.getTime()}`;
  const isPaid = plan.capturedPaise === undefined;
  await tx.insert(orders).values({
    orderId,
    buyerId,
    amount: "199.00",
    status: isPaid ? "success" : "failed",
    purpose: { kind: "review" },
    createdAt: paidAt,
    settledAt: paidAt,
    providerPaymentId: paymentId,
    capturedPaise,
    checkoutFields: {},
  });
  const askedAt = after(plan.askedAfter);
  const decidedAt = plan.state === "asked" ? null : new Date(askedAt.getTime() + 2 * hour);
  if (isPaid) await loadReview(tx, ids, plan, { orderId, buyerId, paidAt, decidedAt });
  const admin = ids.get("gita")!;
  const isAutomatic = plan.grounds === "not begun" || plan.grounds === "overdue";
  const isSent = plan.state === "sent" || plan.state === "settled" || plan.state === "failed";
  const endedAt = decidedAt && plan.state !== "sent" ? new Date(decidedAt.getTime() + day) : null;
  await tx.insert(refunds).values({
    orderId,
    token: `R_DEMOBACK${paidAt.getTime()}`,
    paymentId,
    amountPaise: capturedPaise,
    grounds: plan.grounds,
    state: plan.state,
    reason: plan.reason ?? null,
    answer: plan.answer ?? null,
    askedBy: plan.grounds === "decided" ? admin : buyerId,
    decidedBy: isAutomatic || !decidedAt ? null : admin,
    createdAt: askedAt,
    decidedAt,
    sentAt: isSent ? decidedAt : null,
    requestId: isSent ? String(131_278_400 + number) : null,
    endedAt,
    failure: plan.failure ?? null,
    checks: isSent ? 1 : 0,
  });
  const by = plan.grounds === "decided" ? "Gita Menon" : "its customer";
  const event = { orderId, source: "refund" } as const;
  const outcome = decidedAt && plan.grounds !== "delivered" ? "approved" : "asked";
  await tx
    .insert(orderEvents)
    .values([
      { orderId, at: paidAt, source: "start", said: "199.00", outcome: "pending" },
      { ...event, at: askedAt, said: plan.grounds, outcome, detail: { reason: plan.reason, by } },
      ...(isSent && decidedAt
        ? [{ ...event, at: decidedAt, said: "queued", outcome: "sent" }]
        : []),
      ...(endedAt
        ? [{ ...event, at: endedAt, said: plan.state, outcome: plan.state, detail: endOf(plan) }]
        : []),
    ]);
}

/** Returns the details of the event that ended a refund. */
function endOf({ answer, failure }: Plan) {
  return { by: "Gita Menon", answer, reason: failure };
}

type Paid = { orderId: string; buyerId: string; paidAt: Date; decidedAt: Date | null };

async function loadReview(
  tx: Database,
  ids: DemoIds,
  { deliveredAfter, state }: Plan,
  { orderId, buyerId, paidAt, decidedAt }: Paid,
): Promise<void> {
  const isDelivered = deliveredAfter !== undefined;
  const isWithdrawn = state !== "asked" && state !== "declined";
  const [review] = await tx
    .insert(serviceReviews)
    .values({
      userId: buyerId,
      orderId,
      serviceType: "portfolio_review",
      status: isDelivered ? "completed" : "pending",
      portfolioUrl: "https://portfolio.example.com/case-studies",
      reviewerFeedback: isDelivered ? demoResults.portfolio_review.feedback : null,
      createdAt: paidAt,
      dueAt: new Date(paidAt.getTime() + 2 * day),
      withdrawnAt: isWithdrawn ? decidedAt : null,
    })
    .returning({ id: serviceReviews.id });
  if (!isDelivered || !review) return;
  const reviewer = ids.get("kabir")!;
  const assignedAt = new Date(paidAt.getTime() + hour);
  const completedAt = new Date(paidAt.getTime() + deliveredAfter * day);
  await tx
    .insert(reviewAssignments)
    .values({ reviewId: review.id, reviewerId: reviewer, assignedAt, completedAt });
}

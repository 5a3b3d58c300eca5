import { randomUUID } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import { refunds } from "../../../app/payments/refunds/tables.server.ts";
import { orders } from "../../../app/payments/tables.server.ts";
import { hour, now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { reviewAssignments, serviceReviews } from "../../../app/reviews/tables.server.ts";
import { price } from "../payments/payments.ts";
import { assignedReview, completedReview, pendingReview } from "./review-states.ts";

type Person = { id: string };

/** Inserts an order, by default paid and captured. */
export async function order(
  db: Database,
  buyer: Person | null,
  fields: Partial<typeof orders.$inferInsert> = {},
): Promise<string> {
  const orderId = `TXN_${randomUUID().slice(0, 20)}`;
  const at = now();
  await db.insert(orders).values({
    orderId,
    buyerId: buyer?.id ?? null,
    amount: "199.00",
    status: "success",
    purpose: { kind: "review" },
    createdAt: at,
    settledAt: at,
    providerPaymentId: `403${randomUUID().slice(0, 8)}`,
    capturedPaise: price,
    checkoutFields: {},
    ...fields,
  });
  return orderId;
}

/** The state of the review that an order bought. */
export type Bought = "pending" | "assigned" | "overdue" | "overdue, assigned" | "completed";

/** Creates a paid order and its review, due 48 hours after payment or already overdue. */
export async function paidReview(
  db: Database,
  who: { buyer: Person; reviewer: Person },
  { state = "pending", completedAt = now() }: { state?: Bought; completedAt?: Date } = {},
): Promise<{ orderId: string; reviewId: string }> {
  const { buyer, reviewer } = who;
  const orderId = await order(db, buyer);
  const made = {
    pending: () => pendingReview(db, buyer),
    overdue: () => pendingReview(db, buyer),
    assigned: () => assignedReview(db, buyer, reviewer),
    "overdue, assigned": () => assignedReview(db, buyer, reviewer),
    completed: () => completedReview(db, buyer, reviewer),
  } satisfies Record<Bought, () => Promise<string>>;
  const reviewId = await made[state]();
  const hours = state.startsWith("overdue") ? -1 : 48;
  const dueAt = new Date(now().getTime() + hours * hour);
  await db.update(serviceReviews).set({ orderId, dueAt }).where(eq(serviceReviews.id, reviewId));
  if (state === "completed") {
    await db
      .update(reviewAssignments)
      .set({ completedAt })
      .where(eq(reviewAssignments.reviewId, reviewId));
  }
  return { orderId, reviewId };
}

/** Lists the refunds of an order, newest first. */
export function refundsOf(db: Database, orderId: string) {
  return db
    .select()
    .from(refunds)
    .where(eq(refunds.orderId, orderId))
    .orderBy(desc(refunds.createdAt));
}

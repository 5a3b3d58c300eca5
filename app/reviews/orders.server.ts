import { and, desc, eq, exists, gt, inArray, not, type SQL, sql } from "drizzle-orm";
import { orderEvents, orders } from "../payments/tables.server.ts";
import { day, minute, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import type { ReviewPurpose } from "./review-purpose.server.ts";
import { type ServiceType, serviceLabel } from "./rules.ts";

type Person = { id: string };

const reusableFor = 10 * minute;
/** So long the provider is asked again and again what became of a payment. */
const unsettledFor = 7 * day;

/**
 * The order of a payment that this person began a moment ago with exactly these materials and has
 * not come back from: a double click or a second tab is to lead to the same payment.
 */
export async function findBegunOrder(
  tx: Database,
  buyer: Person,
  { draftId, draftRevision }: ReviewPurpose,
): Promise<{ orderId: string; fields: Record<string, string> } | null> {
  const [row] = await tx
    .select({ orderId: orders.orderId, fields: orders.checkoutFields })
    .from(orders)
    .where(
      and(
        isPendingSince(buyer, reusableFor),
        sql`${orders.purpose}->>'draftId' = ${draftId}`,
        sql`${orders.purpose}->>'draftRevision' = ${String(draftRevision)}`,
        not(cameBack(tx)),
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return row ?? null;
}

/** A payment from which its buyer came back without the provider knowing yet what became of it. */
export type UnsettledPayment = {
  orderId: string;
  service: string;
  /** In rupees: "199.00" */
  amount: string;
  begunAt: Date;
};

/**
 * This person's payments for reviews that may still succeed, newest first.
 *
 * @param serviceType only those for this kind of review
 */
export async function listUnsettledPayments(
  db: Database,
  buyer: Person,
  serviceType?: ServiceType,
): Promise<UnsettledPayment[]> {
  const type = sql<string>`${orders.purpose}->>'serviceType'`;
  const rows = await db
    .select({ orderId: orders.orderId, type, amount: orders.amount, begunAt: orders.createdAt })
    .from(orders)
    .where(
      and(
        isPendingSince(buyer, unsettledFor),
        sql`${orders.purpose}->>'kind' = 'review'`,
        serviceType && eq(type, serviceType),
        cameBack(db),
      ),
    )
    .orderBy(desc(orders.createdAt));
  return rows.map(({ type: bought, ...row }) => ({ ...row, service: serviceLabel(bought) }));
}

function isPendingSince(buyer: Person, milliseconds: number): SQL | undefined {
  return and(
    eq(orders.buyerId, buyer.id),
    eq(orders.status, "pending"),
    gt(orders.createdAt, new Date(now().getTime() - milliseconds)),
  );
}

/** Whether the buyer's browser or the provider has reported on the payment. */
function cameBack(db: Database): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(orderEvents)
      .where(
        and(
          eq(orderEvents.orderId, orders.orderId),
          inArray(orderEvents.source, ["return", "notice"]),
        ),
      ),
  );
}

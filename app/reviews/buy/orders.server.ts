import { and, desc, eq, exists, gt, inArray, not, or, type SQL, sql } from "drizzle-orm";
import { orderEvents, orders } from "../../payments/tables.server.ts";
import { day, minute, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { type ServiceType, serviceLabel } from "../rules.ts";
import { reviewDrafts, reviewOrders } from "../tables.server.ts";

type Person = { id: string };

const reusableFor = 10 * minute;
/** So long the provider is asked again and again what became of a payment. */
const unsettledFor = 7 * day;

/** What an order for a review keeps of it. */
export type OrderedMaterials = Omit<typeof reviewOrders.$inferSelect, "orderId">;

const ofOrder = eq(reviewOrders.orderId, orders.orderId);

/**
 * The order of a payment that this person began a moment ago with exactly these materials and has
 * not come back from: a double click or a second tab is to lead to the same payment.
 */
export async function findBegunOrder(
  tx: Database,
  buyer: Person,
  { draftId, draftRevision }: OrderedMaterials,
): Promise<{ orderId: string; fields: Record<string, string> } | null> {
  const [row] = await tx
    .select({ orderId: orders.orderId, fields: orders.checkoutFields })
    .from(orders)
    .innerJoin(reviewOrders, ofOrder)
    .where(
      and(
        isPendingSince(buyer, reusableFor),
        eq(reviewOrders.draftId, draftId),
        eq(reviewOrders.draftRevision, draftRevision),
        not(cameBack(tx)),
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return row ?? null;
}

/** A payment that may still succeed. */
export type UnsettledPayment = {
  orderId: string;
  service: string;
  /** In rupees: "199.00" */
  amount: string;
  begunAt: Date;
  /** Its buyer came back; otherwise it may still be open in another tab. */
  cameBack: boolean;
};

/** This person's payments for reviews that nobody knows yet the end of, newest first. */
export function listUnsettledPayments(db: Database, buyer: Person): Promise<UnsettledPayment[]> {
  return listUnsettled(db, and(isPendingSince(buyer, unsettledFor), cameBack(db)));
}

/**
 * The newest payment that may still succeed beside one for this person's draft as it is now: one that
 * they came back from, or one that they left open for so long that another would be begun.
 */
export async function findPaymentInTheWay(
  db: Database,
  buyer: Person,
  serviceType: ServiceType,
): Promise<UnsettledPayment | undefined> {
  const isLeftOpen = and(isPendingSince(buyer, day), isForDraftAsItIs(db), not(isReusable()));
  const [newest] = await listUnsettled(
    db,
    and(
      isPendingSince(buyer, unsettledFor),
      eq(reviewOrders.serviceType, serviceType),
      or(cameBack(db), isLeftOpen),
    ),
  );
  return newest;
}

async function listUnsettled(db: Database, those: SQL | undefined): Promise<UnsettledPayment[]> {
  const rows = await db
    .select({
      orderId: orders.orderId,
      type: reviewOrders.serviceType,
      amount: orders.amount,
      begunAt: orders.createdAt,
      cameBack: sql<boolean>`${cameBack(db)}`,
    })
    .from(orders)
    .innerJoin(reviewOrders, ofOrder)
    .where(those)
    .orderBy(desc(orders.createdAt));
  return rows.map(({ type, ...row }) => ({ ...row, service: serviceLabel(type) }));
}

function isReusable(): SQL {
  return gt(orders.createdAt, new Date(now().getTime() - reusableFor));
}

function isForDraftAsItIs(db: Database): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(reviewDrafts)
      .where(
        and(
          eq(reviewDrafts.userId, orders.buyerId),
          eq(reviewDrafts.id, reviewOrders.draftId),
          eq(reviewDrafts.revision, reviewOrders.draftRevision),
        ),
      ),
  );
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

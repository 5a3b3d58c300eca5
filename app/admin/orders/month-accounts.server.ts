import { sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { creditNotes, refunds } from "../../payments/refunds/tables.server.ts";
import { invoices, orders } from "../../payments/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Month } from "../../platform/months.ts";

/** The amount that an order adds to a month, in paise. */
type MonthLine = {
  orderId: string;
  startedAt: Date;
  /** The date of its invoice; without one, when it was paid. */
  paidAt: Date;
  /** The date of its credit note; without one, when the refund was completed. */
  refundedAt: Date | null;
  invoice: string | null;
  creditNote: string | null;
  byOrderPaise: number;
  byDocumentPaise: number;
};

export type MonthAccounts = {
  /** The orders that were started in the month, less their refunds: the revenue of the overview. */
  byOrderPaise: number;
  /** The invoices and other payments of the month, less its credit notes and other refunds. */
  byDocumentPaise: number;
  /** The orders that make the difference, oldest first. */
  lines: MonthLine[];
  /** The number of orders that make the difference. */
  differing: number;
  /** The charges that PayU named for the payments of the month. */
  charges: { paise: number; withCharges: number; withoutCharges: number };
  /** The documents of the month. */
  invoices: number;
  creditNotes: number;
};

/** More lines than a page shows well. Their number is shown. */
const maxLines = 500;

/** Reads a month in two ways, which differ when an order is paid or refunded in another month than it started. */
export async function getMonthAccounts(
  db: Database,
  actor: Actor | null,
  month: Month,
): Promise<MonthAccounts> {
  authorize(actor, "invoice.export");
  const { rows } = await db.execute<{ sums: Sums; lines: StoredLine[] | null }>(sql`
    with entries as (${selectEntries(month)})
    select
      json_build_object(
        'byOrderPaise', coalesce(sum(by_order), 0),
        'byDocumentPaise', coalesce(sum(by_document), 0),
        'differing', count(*) filter (where by_order <> by_document),
        'invoices', count(*) filter (where invoice is not null and ${isIn(month, sql`paid_at`)}),
        'creditNotes', count(*) filter (where credit_note is not null and ${isIn(month, sql`refunded_at`)}),
        'paise', coalesce(sum(charges) filter (where ${isIn(month, sql`paid_at`)}), 0),
        'withCharges', count(charges) filter (where ${isIn(month, sql`paid_at`)}),
        'withoutCharges', count(*) filter (where charges is null and ${isIn(month, sql`paid_at`)})
      ) as sums,
      (select json_agg(line) from (
        select order_id as "orderId", started_at as "startedAt", paid_at as "paidAt",
          refunded_at as "refundedAt", invoice, credit_note as "creditNote",
          by_order as "byOrderPaise", by_document as "byDocumentPaise"
        from entries where by_order <> by_document
        order by started_at, order_id limit ${maxLines}) as line) as lines
    from entries`);
  const { sums, lines } = rows[0]!;
  const { paise, withCharges, withoutCharges, ...others } = sums;
  return {
    ...others,
    charges: { paise, withCharges, withoutCharges },
    lines: (lines ?? []).map(({ startedAt, paidAt, refundedAt, ...line }) => ({
      ...line,
      startedAt: new Date(startedAt),
      paidAt: new Date(paidAt),
      refundedAt: refundedAt ? new Date(refundedAt) : null,
    })),
  };
}

type Sums = Omit<MonthAccounts, "lines" | "charges"> & MonthAccounts["charges"];

/** JSON has times as text. */
type StoredLine = Omit<MonthLine, "startedAt" | "paidAt" | "refundedAt"> & {
  startedAt: string;
  paidAt: string;
  refundedAt: string | null;
};

/** Selects what each order adds to the month. Each part of the union has its own index. */
function selectEntries(month: Month) {
  const paidAt = sql`coalesce(${invoices.issuedAt}, ${orders.settledAt}, ${orders.createdAt})`;
  const refundedAt = sql`coalesce(${creditNotes.issuedAt}, ${refunds.endedAt}, ${refunds.createdAt})`;
  const amount = sql`coalesce(${orders.amountPaise}, 0)`;
  const refunded = sql`coalesce(${refunds.amountPaise}, 0)`;
  const isSettled = sql`${refunds.state} = 'settled'`;
  return sql`
    select ${orders.orderId} as order_id, ${orders.createdAt} as started_at, ${paidAt} as paid_at,
      case when ${refunds.id} is not null then ${refundedAt} end as refunded_at,
      ${invoices.serial} as invoice, ${creditNotes.serial} as credit_note,
      ${orders.providerChargesPaise} as charges,
      case when ${isIn(month, sql`${orders.createdAt}`)} then ${amount} - ${refunded} else 0 end as by_order,
      case when ${isIn(month, paidAt)} then ${amount} else 0 end
        - case when ${isIn(month, refundedAt)} then ${refunded} else 0 end as by_document
    from ${orders}
    left join ${invoices} on ${invoices.orderId} = ${orders.orderId}
    left join ${refunds} on ${refunds.orderId} = ${orders.orderId} and ${isSettled}
      and ${refunds.paymentId} = ${orders.providerPaymentId}
    left join ${creditNotes} on ${creditNotes.orderId} = ${orders.orderId}
    where ${orders.status} = 'success' and ${orders.orderId} in (
      select order_id from orders where ${isIn(month, sql`created_at`)}
      union select order_id from orders where status = 'success' and ${isIn(month, sql`settled_at`)}
      union select order_id from invoices where ${isIn(month, sql`issued_at`)}
      union select order_id from credit_notes where ${isIn(month, sql`issued_at`)}
      union select order_id from refunds
        where state = 'settled' and ${isIn(month, sql`coalesce(ended_at, created_at)`)})`;
}

function isIn({ start, end }: Month, moment: ReturnType<typeof sql>) {
  return sql`(${moment} >= ${start.toISOString()}::timestamptz and ${moment} < ${end.toISOString()}::timestamptz)`;
}

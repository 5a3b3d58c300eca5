import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { checkValues, createMomentColumn } from "../platform/tables.server.ts";

const orderStatuses = ["pending", "success", "failed"] as const;

/** One attempt to pay for one thing. */
export const orders = pgTable(
  "orders",
  {
    /** The transaction id at the payment provider. */
    orderId: text("order_id").primaryKey(),
    buyerId: uuid("buyer_id").references(() => users.id, { onDelete: "set null" }),
    /** Rupees in the provider's format, such as "199.00". Imported rows may contain anything. */
    amount: text("amount").notNull(),
    amountPaise: integer("amount_paise").generatedAlwaysAs(
      sql`case when amount ~ '^\\d{1,7}(\\.\\d{1,2})?$' then (amount::numeric * 100)::integer else 0 end`,
    ),
    status: text("status", { enum: orderStatuses }).notNull(),
    /** The purchase, for the capability that sold it. Payments doesn't read it. */
    purpose: jsonb("purpose").notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
    settledAt: createMomentColumn("settled_at"),
    providerPaymentId: text("provider_payment_id"),
    /** The captured amount according to the provider. A wrong amount leaves the order unpaid. */
    capturedPaise: integer("captured_paise"),
    /** The provider's charges that the buyer paid on top of the amount. Null if the provider didn't tell. */
    providerChargesPaise: integer("provider_charges_paise"),
    /** The fields sent to the provider, so that a payment can be resumed exactly as it started. */
    checkoutFields: jsonb("checkout_fields").$type<Record<string, string>>().notNull(),
    /** The seller when the order started: settings change, receipts don't. All are null for orders of before. */
    productName: text("product_name"),
    sellerName: text("seller_name"),
    sellerAddress: text("seller_address"),
    /** This and the next three are null without a registration for GST. */
    sellerGstin: text("seller_gstin"),
    sellerState: text("seller_state"),
    /** The service accounting code of the purchase. */
    serviceCode: text("service_code"),
    /** In percent. The amount includes it. */
    taxRate: integer("tax_rate"),
    /** The place of the buyer for GST: a State, a Union Territory or "Outside India". Null without a registration. */
    buyerState: text("buyer_state"),
    /** The GSTIN of the buyer's company. */
    buyerGstin: text("buyer_gstin"),
    /** The tax that the amount includes. The four add up to it, and are null without a registration. */
    taxablePaise: integer("taxable_paise"),
    cgstPaise: integer("cgst_paise"),
    sgstPaise: integer("sgst_paise"),
    igstPaise: integer("igst_paise"),
    /** Our page where the buyer can try the payment again. */
    retryPath: text("retry_path"),
    checks: integer("checks").notNull().default(0),
    lastCheckedAt: createMomentColumn("last_checked_at"),
    /** The time of the next check; null after the last one. */
    nextCheckAt: createMomentColumn("next_check_at"),
    /** The reason why an admin has to resolve it, if no other column shows it. */
    reasonToResolve: text("reason_to_resolve", {
      enum: ["no account", "unreachable", "paid twice", "undeliverable"],
    }),
    /** The time when an admin resolved it and it left the list. */
    resolvedAt: createMomentColumn("resolved_at"),
  },
  (table) => [
    index("orders_created_at").on(table.createdAt, table.status),
    index("orders_newest").on(table.createdAt, table.orderId),
    index("orders_payment")
      .on(table.providerPaymentId)
      .where(sql`provider_payment_id is not null`),
    index("orders_status").on(table.status, table.createdAt, table.orderId),
    index("orders_buyer").on(table.buyerId, table.createdAt),
    index("orders_next_check")
      .on(table.nextCheckAt)
      .where(sql`next_check_at is not null`),
    index("orders_pending")
      .on(table.createdAt)
      .where(sql`status = 'pending'`),
    index("orders_to_resolve")
      .on(table.createdAt)
      .where(sql`reason_to_resolve is not null`),
    checkValues("orders_status_known", table.status, orderStatuses),
  ],
);

/** The log of an order: each report, its source and its result. Rows are only added. */
export const orderEvents = pgTable(
  "order_events",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    orderId: text("order_id")
      .notNull()
      .references(() => orders.orderId, { onDelete: "cascade" }),
    at: createMomentColumn("at").notNull(),
    source: text("source", {
      enum: ["start", "return", "notice", "verification", "refund"],
    }).notNull(),
    said: text("said").notNull(),
    outcome: text("outcome").notNull(),
    detail: jsonb("detail"),
  },
  (table) => [
    index("order_events_order").on(table.orderId, table.at),
    index("order_events_doubtful")
      .on(table.orderId)
      .where(sql`detail->>'reason' in ('wrong amount', 'disagreement')`),
  ],
);

/** The last number of each series. Its row is locked last in a transaction, so that no number is skipped. */
export const invoiceSeries = pgTable(
  "invoice_series",
  {
    series: text("series").notNull(),
    /** The year from April to March in India, such as "26-27". */
    financialYear: text("financial_year").notNull(),
    lastNumber: integer("last_number").notNull(),
    /** Dates never go back within a series, even if the later transaction started first. */
    lastIssuedAt: createMomentColumn("last_issued_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.series, table.financialYear] })],
);

/** Invoices of paid orders. Rows are only added, and hold all that the document shows. */
export const invoices = pgTable(
  "invoices",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => orders.orderId),
    ...createNumberColumns(),
    productName: text("product_name").notNull(),
    sellerName: text("seller_name").notNull(),
    sellerAddress: text("seller_address").notNull(),
    sellerGstin: text("seller_gstin").notNull(),
    sellerState: text("seller_state").notNull(),
    buyerName: text("buyer_name").notNull(),
    buyerState: text("buyer_state").notNull(),
    buyerGstin: text("buyer_gstin"),
    description: text("description").notNull(),
    serviceCode: text("service_code"),
    taxRate: integer("tax_rate").notNull(),
    amountPaise: integer("amount_paise").notNull(),
    taxablePaise: integer("taxable_paise").notNull(),
    cgstPaise: integer("cgst_paise").notNull(),
    sgstPaise: integer("sgst_paise").notNull(),
    igstPaise: integer("igst_paise").notNull(),
  },
  (table) => [
    uniqueIndex("invoices_number").on(table.series, table.financialYear, table.number),
    index("invoices_issued_at").on(table.issuedAt),
    check("invoices_serial_length", sql`length(${table.serial}) <= 16`),
    check(
      "invoices_sum",
      sql`${table.taxablePaise} + ${table.cgstPaise} + ${table.sgstPaise} + ${table.igstPaise} = ${table.amountPaise}`,
    ),
  ],
);

/** The columns of a numbered document: "NK/26-27/000001" is number 1 of its series and year. */
export function createNumberColumns() {
  return {
    series: text("series").notNull(),
    financialYear: text("financial_year").notNull(),
    number: integer("number").notNull(),
    serial: text("serial").notNull().unique(),
    issuedAt: createMomentColumn("issued_at").notNull(),
  };
}

import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
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

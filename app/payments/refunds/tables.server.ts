import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { checkValues, createMomentColumn } from "../../platform/tables.server.ts";
import { createNumberColumns, invoices, orders } from "../tables.server.ts";
import { refundGrounds, refundStates } from "../refund-rules.ts";

/**
 * Refunds. A row and its token are committed before the provider is asked. A retry after a refusal is a new row
 * with a new token.
 */
export const refunds = pgTable(
  "refunds",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    orderId: text("order_id")
      .notNull()
      .references(() => orders.orderId),
    /** Identifies this refund to the provider, which refunds each token once; at most 23 characters. */
    token: text("token").notNull().unique(),
    /** The provider's id of the payment to refund. */
    paymentId: text("payment_id").notNull(),
    /** The captured amount, which may differ from the order's. */
    amountPaise: integer("amount_paise").notNull(),
    grounds: text("grounds", { enum: refundGrounds }).notNull(),
    state: text("state", { enum: refundStates }).notNull(),
    /** In the words of the person who requested it. */
    reason: text("reason"),
    /** In the words of the admin who decided, for the customer. */
    answer: text("answer"),
    askedBy: uuid("asked_by").references(() => users.id, { onDelete: "set null" }),
    /** The admin; null if the terms grant the refund without a decision. */
    decidedBy: uuid("decided_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createMomentColumn("created_at").notNull(),
    decidedAt: createMomentColumn("decided_at"),
    /** The time when the provider accepted it, and the provider's id for it. */
    sentAt: createMomentColumn("sent_at"),
    requestId: text("request_id"),
    /** The time when the provider reported it as settled or failed. */
    endedAt: createMomentColumn("ended_at"),
    /** The provider's reason for the failure. */
    failure: text("failure"),
    checks: integer("checks").notNull().default(0),
    /** The time of the next call to the provider; null if nothing is left to do. */
    nextCheckAt: createMomentColumn("next_check_at"),
  },
  (table) => [
    uniqueIndex("refunds_open")
      .on(table.orderId)
      .where(sql`state in ('asked', 'approved', 'sent', 'settled')`),
    index("refunds_order").on(table.orderId, table.createdAt),
    index("refunds_state").on(table.state, table.createdAt),
    index("refunds_next_check")
      .on(table.nextCheckAt)
      .where(sql`next_check_at is not null`),
    check("refunds_amount_positive", sql`${table.amountPaise} > 0`),
    check("refunds_token_length", sql`length(${table.token}) between 1 and 23`),
    checkValues("refunds_state_known", table.state, refundStates),
  ],
);

/** Credit notes. Each cancels all of its invoice, after the payment was refunded. */
export const creditNotes = pgTable(
  "credit_notes",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => invoices.orderId),
    ...createNumberColumns(),
    refundId: uuid("refund_id")
      .notNull()
      .unique()
      .references(() => refunds.id),
  },
  (table) => [
    uniqueIndex("credit_notes_number").on(table.series, table.financialYear, table.number),
    index("credit_notes_issued_at").on(table.issuedAt),
    check("credit_notes_serial_length", sql`length(${table.serial}) <= 16`),
  ],
);

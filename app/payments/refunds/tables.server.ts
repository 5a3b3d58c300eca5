import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { createMomentColumn } from "../../platform/tables.server.ts";
import { orders } from "../tables.server.ts";
import { refundGrounds, refundStates } from "../refund-rules.ts";

/**
 * Refunds. A row and its token are committed before the provider is asked. After a refusal a new row has a new
 * token.
 */
export const refunds = pgTable(
  "refunds",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    orderId: text("order_id")
      .notNull()
      .references(() => orders.orderId),
    /** Names this refund to the provider, which refunds each token once; at most 23 characters. */
    token: text("token").notNull().unique(),
    /** The provider's id of the payment that is given back. */
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
    /** The admin; none where the terms grant it at once. */
    decidedBy: uuid("decided_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createMomentColumn("created_at").notNull(),
    decidedAt: createMomentColumn("decided_at"),
    /** When the provider has taken it up, and what it calls it. */
    sentAt: createMomentColumn("sent_at"),
    requestId: text("request_id"),
    /** When the provider said that it is settled, or that it has failed. */
    endedAt: createMomentColumn("ended_at"),
    /** The provider's words. */
    failure: text("failure"),
    checks: integer("checks").notNull().default(0),
    /** When to call or ask the provider next; null when there is nothing left to do. */
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
    check(
      "refunds_state_known",
      sql`${table.state} in ('asked', 'approved', 'sent', 'settled', 'failed', 'declined')`,
    ),
  ],
);

import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { bytes, createMomentColumn } from "../../platform/tables.server.ts";

/** Payments to reviewers, one for each month, recorded after the bank's transfer. */
export const payouts = pgTable(
  "payouts",
  {
    reviewerId: uuid("reviewer_id")
      .notNull()
      .references(() => users.id),
    /** In India, such as "2026-11". */
    month: text("month").notNull(),
    paise: integer("paise").notNull(),
    /** The day of the transfer. */
    paidOn: date("paid_on", { mode: "string" }).notNull(),
    /** The bank's reference. */
    reference: text("reference").notNull(),
    recordedBy: uuid("recorded_by").references(() => users.id, { onDelete: "set null" }),
    recordedAt: createMomentColumn("recorded_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.reviewerId, table.month] }),
    index("payouts_recorder").on(table.recordedBy),
    check("payouts_month_valid", sql`${table.month} ~ '^20\\d\\d-(0[1-9]|1[0-2])$'`),
    check("payouts_paise_positive", sql`${table.paise} > 0`),
  ],
);

/** The tax numbers (PAN) of reviewers, encrypted. */
export const reviewerPans = pgTable("reviewer_pans", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  sealedPan: bytes("sealed_pan").notNull(),
  /** The id of the encryption key, which reveals nothing about the key. */
  keyId: text("key_id").notNull(),
  savedAt: createMomentColumn("saved_at").notNull(),
});

import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { checkValues, createMomentColumn } from "../../platform/tables.server.ts";
import { alertFrequencies, alertStates } from "./rules.ts";

/** Searches of the board whose new jobs are sent by email. */
export const alerts = pgTable(
  "alerts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Null for an address without an account. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    /** The filters in the form of the board's address, always in the same order; empty for all jobs. */
    query: text("query").notNull(),
    frequency: text("frequency", { enum: alertFrequencies }).notNull(),
    state: text("state", { enum: alertStates }).notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
    confirmedAt: createMomentColumn("confirmed_at"),
    stoppedAt: createMomentColumn("stopped_at"),
    /** Jobs published up to this time were sent, or were on the board before the alert. */
    sentUntil: createMomentColumn("sent_until").notNull(),
    /** Jobs published since then that another alert of the address has sent. */
    sentJobIds: uuid("sent_job_ids")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Emails in a row that the mail server rejected. */
    bounces: integer("bounces").notNull().default(0),
  },
  (table) => [
    uniqueIndex("alerts_address_query")
      .on(table.email, table.query)
      .where(sql`state <> 'stopped'`),
    index("alerts_due")
      .on(table.frequency, table.sentUntil, table.email)
      .where(sql`state = 'active'`),
    index("alerts_pending")
      .on(table.createdAt)
      .where(sql`state = 'pending'`),
    index("alerts_email").on(table.email),
    index("alerts_user")
      .on(table.userId)
      .where(sql`user_id is not null`),
    checkValues("alerts_frequency_known", table.frequency, alertFrequencies),
    checkValues("alerts_state_known", table.state, alertStates),
    check("alerts_email_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

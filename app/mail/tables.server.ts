import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createMomentColumn } from "../platform/tables.server.ts";
import { mailStates } from "./rules.ts";

/** Emails of the last month, queued, sent or given up. */
export const mails = pgTable(
  "mails",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Names the cause. It is unique, so a cause creates only one email. */
    cause: text("cause").notNull(),
    recipient: text("recipient").notNull(),
    /** The address for replies; null for our own. */
    replyTo: text("reply_to"),
    subject: text("subject").notNull(),
    html: text("html").notNull(),
    text: text("text").notNull(),
    /** More header lines, such as List-Unsubscribe. */
    headers: jsonb("headers").$type<Record<string, string>>(),
    createdAt: createMomentColumn("created_at").notNull(),
    sentAt: createMomentColumn("sent_at"),
    attempts: integer("attempts").notNull().default(0),
    /** The last error, without the recipient's address, which mail servers often repeat. */
    lastError: text("last_error"),
    /** Until this time only the process that leased the email may send it. */
    leasedUntil: createMomentColumn("leased_until"),
    /** Set when an email was rejected permanently or failed for a day. It isn't retried automatically. */
    givenUpAt: createMomentColumn("given_up_at"),
    /** Set when an admin discarded the email. It also counts as given up, and its text is deleted. */
    droppedAt: createMomentColumn("dropped_at"),
    state: text("state", { enum: mailStates }).generatedAlwaysAs(
      sql`case when sent_at is not null then 'sent' when dropped_at is not null then 'dropped' when given_up_at is not null then 'given-up' when attempts > 0 then 'failing' else 'waiting' end`,
    ),
  },
  (table) => [
    uniqueIndex("mails_cause").on(table.cause),
    index("mails_created_at").on(table.createdAt, table.id),
    index("mails_state").on(table.state, table.createdAt, table.id),
    index("mails_unsent")
      .on(table.createdAt)
      .where(sql`sent_at is null`),
  ],
);

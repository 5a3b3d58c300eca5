import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createMomentColumn } from "../platform/tables.server.ts";
import { mailStates } from "./rules.ts";

/** Every mail to be sent, written in the transaction that causes it. */
export const mails = pgTable(
  "mails",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Names the cause, so that one cause makes one mail however often it is queued. */
    cause: text("cause").notNull(),
    recipient: text("recipient").notNull(),
    /** The address for replies, if it is not ours. */
    replyTo: text("reply_to"),
    subject: text("subject").notNull(),
    html: text("html").notNull(),
    text: text("text").notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
    sentAt: createMomentColumn("sent_at"),
    attempts: integer("attempts").notNull().default(0),
    /** Without the recipient, whose address mail servers like to repeat. */
    lastError: text("last_error"),
    /** Until then the process that leased the mail may be sending it, and no other takes it. */
    leasedUntil: createMomentColumn("leased_until"),
    /** Set when a mail was refused permanently, or for a whole day: it is not retried automatically. */
    givenUpAt: createMomentColumn("given_up_at"),
    /** Set when an admin cancelled the mail. It also counts as given up, and its text is removed. */
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

import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { createMomentColumn } from "../platform/tables.server.ts";
import { messageStates } from "./rules.ts";

/** Messages from the contact page. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** The number that people quote and support searches for. */
    ticket: text("ticket").notNull(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    subject: text("subject").notNull(),
    message: text("message").notNull(),
    /** The signed-in person who sent it. */
    senderId: uuid("sender_id").references(() => users.id, { onDelete: "set null" }),
    /** Probably sent by a bot: stored for the operator's command, but not emailed. */
    isSuspected: boolean("is_suspected").notNull().default(false),
    createdAt: createMomentColumn("created_at").notNull(),
    /** When a confirmation was emailed; null if none was. */
    confirmedAt: createMomentColumn("confirmed_at"),
    state: text("state", { enum: messageStates }).notNull().default("open"),
    /** An internal note of staff. */
    note: text("note").notNull().default(""),
    /** The text that searches use. */
    searchText: text("search_text").generatedAlwaysAs(
      sql`search_form(ticket || ' ' || name || ' ' || email || ' ' || subject)`,
    ),
  },
  (table) => [
    uniqueIndex("contact_messages_ticket").on(table.ticket),
    index("contact_messages_confirmed").on(table.email, table.confirmedAt),
    index("contact_messages_created_at").on(table.createdAt, table.id),
    index("contact_messages_state").on(table.isSuspected, table.state, table.createdAt, table.id),
    index("contact_messages_search").using("gin", table.searchText.op("gin_trgm_ops")),
    index("contact_messages_short").using("gin", sql`pairs_in(${table.searchText})`),
    check("contact_messages_state_known", sql`${table.state} in ('open', 'answered', 'closed')`),
    check("contact_messages_email_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/** Replies sent by email. The email's cause contains the reply's id. */
export const contactAnswers = pgTable(
  "contact_answers",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    messageId: uuid("message_id")
      .notNull()
      .references(() => contactMessages.id, { onDelete: "cascade" }),
    at: createMomentColumn("at").notNull(),
    authorName: text("author_name").notNull(),
    answer: text("answer").notNull(),
  },
  (table) => [index("contact_answers_message").on(table.messageId, table.at)],
);

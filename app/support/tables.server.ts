import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { checkValues, createMomentColumn } from "../platform/tables.server.ts";
import { serviceReviews } from "../reviews/tables.server.ts";
import { messageKinds, messageStates } from "./rules.ts";

export const supportMessages = pgTable(
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
    kind: text("kind", { enum: messageKinds }).notNull().default("question"),
    /** The time by which a person has to read it. A follow-up to a read message starts this clock again. */
    acknowledgeBy: createMomentColumn("acknowledge_by")
      .notNull()
      .default(sql`now() + interval '48 hours'`),
    /** When an admin first took it over, replied or closed it, since the clock last started. */
    acknowledgedAt: createMomentColumn("acknowledged_at"),
    /** True if it was read late before the clock last started. */
    wasReadLate: boolean("was_read_late").notNull().default(false),
    /** The time by which it has to be settled, a month after it arrived. */
    dueAt: createMomentColumn("due_at")
      .notNull()
      .default(sql`now() + interval '1 month'`),
    /** When it was closed. */
    settledAt: createMomentColumn("settled_at"),
    /** The next of the two deadlines; null once it is closed. */
    nextDueAt: createMomentColumn("next_due_at").generatedAlwaysAs(
      sql`case when state = 'closed' then null when acknowledged_at is null then acknowledge_by else due_at end`,
    ),
    /** When admins were warned that nobody has read it, and that it is not settled. */
    unreadWarnedAt: createMomentColumn("unread_warned_at"),
    unsettledWarnedAt: createMomentColumn("unsettled_warned_at"),
    /** The admin who takes care of it. */
    ownerId: uuid("owner_id").references(() => users.id, { onDelete: "set null" }),
    /** The order, review and job that it is about. */
    orderId: text("order_id").references(() => orders.orderId, { onDelete: "set null" }),
    reviewId: uuid("review_id").references(() => serviceReviews.id, { onDelete: "set null" }),
    jobId: uuid("job_id").references(() => jobs.id, { onDelete: "set null" }),
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
    index("contact_messages_due")
      .on(table.state, table.nextDueAt, table.id)
      .where(sql`not is_suspected`),
    index("contact_messages_next_due")
      .on(table.nextDueAt, table.id)
      .where(sql`not is_suspected and next_due_at is not null`),
    // Deleting a row looks for messages that refer to it.
    index("contact_messages_order")
      .on(table.orderId)
      .where(sql`order_id is not null`),
    index("contact_messages_review")
      .on(table.reviewId)
      .where(sql`review_id is not null`),
    index("contact_messages_job")
      .on(table.jobId)
      .where(sql`job_id is not null`),
    index("contact_messages_owner")
      .on(table.ownerId, table.nextDueAt, table.id)
      .where(sql`owner_id is not null`),
    index("contact_messages_sender")
      .on(table.senderId, table.createdAt, table.id)
      .where(sql`sender_id is not null`),
    index("contact_messages_search").using("gin", table.searchText.op("gin_trgm_ops")),
    index("contact_messages_short").using("gin", sql`pairs_in(${table.searchText})`),
    checkValues("contact_messages_kind_known", table.kind, messageKinds),
    checkValues("contact_messages_state_known", table.state, messageStates),
    check("contact_messages_email_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/**
 * Replies of admins, which are also sent by email, and follow-ups of the writer. The email's cause contains the
 * reply's id.
 */
export const supportAnswers = pgTable(
  "contact_answers",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    messageId: uuid("message_id")
      .notNull()
      .references(() => supportMessages.id, { onDelete: "cascade" }),
    at: createMomentColumn("at").notNull(),
    authorName: text("author_name").notNull(),
    answer: text("answer").notNull(),
    /** True for a follow-up of the writer. */
    isFromWriter: boolean("is_from_writer").notNull().default(false),
  },
  (table) => [index("contact_answers_message").on(table.messageId, table.at)],
);

/** Replies that admins often send. All admins share them. */
export const answerTemplates = pgTable(
  "answer_templates",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    title: text("title").notNull(),
    text: text("text").notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
  },
  (table) => [uniqueIndex("answer_templates_title").on(table.title)],
);

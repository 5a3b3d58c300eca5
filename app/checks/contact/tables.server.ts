import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { jobs } from "../../jobs/tables.server.ts";
import { createMomentColumn } from "../../platform/tables.server.ts";
import { answers } from "./rules.ts";

/** Questions to the contacts of listings: is the job still open? */
export const contactQuestions = pgTable(
  "contact_questions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    jobId: uuid("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    /** The address that was asked; null once the contact removed themselves. */
    email: text("email"),
    /** A keyed hash of that address. */
    emailHash: text("email_hash").notNull(),
    /** The hash of the token in the email. */
    tokenHash: text("token_hash").notNull(),
    /** The hash of the token in the reminder. The first token still works. */
    reminderTokenHash: text("reminder_token_hash"),
    /** When the check was due. A listing has one question for each due date. */
    dueAt: createMomentColumn("due_at").notNull(),
    askedAt: createMomentColumn("asked_at").notNull(),
    remindedAt: createMomentColumn("reminded_at"),
    answeredAt: createMomentColumn("answered_at"),
    answer: text("answer", { enum: answers }),
  },
  (table) => [
    uniqueIndex("contact_questions_due").on(table.jobId, table.dueAt),
    uniqueIndex("contact_questions_token").on(table.tokenHash),
    uniqueIndex("contact_questions_reminder_token").on(table.reminderTokenHash),
    index("contact_questions_email").on(table.emailHash, table.askedAt),
    index("contact_questions_asked").on(table.askedAt),
    index("contact_questions_to_remind")
      .on(table.askedAt)
      .where(sql`answered_at is null and reminded_at is null`),
    check("contact_questions_email_lower_case", sql`${table.email} = lower(${table.email})`),
    check(
      "contact_questions_answer_known",
      sql`${table.answer} in ('open', 'filled', 'closed', 'withdrawn')`,
    ),
    check(
      "contact_questions_answered",
      sql`(${table.answer} is null) = (${table.answeredAt} is null)`,
    ),
  ],
);

import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { archivedReasons } from "../../jobs/check-rules.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { checkValues, createMomentColumn } from "../../platform/tables.server.ts";
import type { PersonTexts } from "./erase-person.ts";
import { mentionKinds } from "./mention-rules.ts";
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
    /** When the check was due, or the listing began to name the contact. A listing has one question for each date. */
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
    checkValues("contact_questions_answer_known", table.answer, answers),
    check(
      "contact_questions_answered",
      sql`(${table.answer} is null) = (${table.answeredAt} is null)`,
    ),
  ],
);

/**
 * Texts of others that name a removed contact, until an admin decides about them. Only these rows still have what was
 * removed, and deciding deletes them.
 */
export const contactMentions = pgTable(
  "contact_mentions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    kind: text("kind", { enum: mentionKinds }).notNull(),
    /** The listing, report, message, reply or company, and its column. */
    subjectId: uuid("subject_id").notNull(),
    field: text("field").notNull(),
    /** The listing that the text is about. Null for others, and once it is deleted: its history still has the text. */
    jobId: uuid("job_id").references(() => jobs.id, { onDelete: "set null" }),
    person: jsonb("person").$type<PersonTexts>().notNull(),
    /** The state to which the listing returns. */
    wasArchived: boolean("was_archived"),
    archivedReason: text("archived_reason", { enum: archivedReasons }),
    foundAt: createMomentColumn("found_at").notNull(),
  },
  (table) => [
    index("contact_mentions_found").on(table.foundAt, table.id),
    index("contact_mentions_subject").on(table.subjectId, table.kind),
    index("contact_mentions_job")
      .on(table.jobId)
      .where(sql`job_id is not null`),
    checkValues("contact_mentions_kind_known", table.kind, mentionKinds),
  ],
);

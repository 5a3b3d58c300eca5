import { sql } from "drizzle-orm";
import {
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { checkValues, createMomentColumn } from "../../platform/tables.server.ts";
import { replyOutcomes, trackerStates } from "./rules.ts";

/** The jobs that people follow: saved from the board, or added by hand. They outlive their listing. */
export const trackedJobs = pgTable(
  "tracked_jobs",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Null for a job that was found elsewhere or whose listing was deleted. */
    jobId: uuid("job_id").references(() => jobs.id, { onDelete: "set null" }),
    // Copied from the listing when it was saved.
    title: text("title").notNull(),
    company: text("company").notNull(),
    place: text("place").notNull().default(""),
    /** The listing's path on the board, which outlives the listing. For a job that was found elsewhere, its address or "". */
    url: text("url").notNull().default(""),
    state: text("state", { enum: trackerStates }).notNull().default("saved"),
    /** In India. */
    appliedOn: date("applied_on", { mode: "string" }),
    nextStepOn: date("next_step_on", { mode: "string" }),
    notes: text("notes").notNull().default(""),
    /** Why the person wants the job, as a line of their first message to its contact. */
    motivation: text("motivation").notNull().default(""),
    /** When an email last asked if the company answered. */
    askedAt: createMomentColumn("asked_at"),
    /** Increases with every change, so that a second tab can't overwrite the first. */
    version: integer("version").notNull().default(0),
    createdAt: createMomentColumn("created_at").notNull(),
    updatedAt: createMomentColumn("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("tracked_jobs_listing")
      .on(table.userId, table.jobId)
      .where(sql`job_id is not null`),
    index("tracked_jobs_user").on(table.userId, table.state, table.updatedAt, table.id),
    index("tracked_jobs_job")
      .on(table.jobId)
      .where(sql`job_id is not null`),
    // The copies of deleted listings.
    index("tracked_jobs_gone")
      .on(table.url)
      .where(sql`job_id is null and url <> ''`),
    checkValues("tracked_jobs_state_known", table.state, trackerStates),
  ],
);

/** The saved jobs about whose closing a person got an email. They outlive the list, so that none repeats. */
export const closingMails = pgTable(
  "closing_mails",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    jobId: uuid("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    at: createMomentColumn("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.jobId] }),
    index("closing_mails_job").on(table.jobId),
  ],
);

/** Each change of a tracked job's state. */
export const trackedEvents = pgTable(
  "tracked_events",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    trackedJobId: uuid("tracked_job_id")
      .notNull()
      .references(() => trackedJobs.id, { onDelete: "cascade" }),
    state: text("state", { enum: trackerStates }).notNull(),
    at: createMomentColumn("at").notNull(),
  },
  (table) => [
    index("tracked_events_job").on(table.trackedJobId, table.at),
    checkValues("tracked_events_state_known", table.state, trackerStates),
  ],
);

/**
 * People's answers to the question if a company replied to them. When an account is closed, a trigger keeps its latest
 * answer about each company, without the person and the job.
 */
export const replyAnswers = pgTable(
  "reply_answers",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    trackedJobId: uuid("tracked_job_id").references(() => trackedJobs.id, { onDelete: "cascade" }),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The company, as `toCompanyKey` names it. */
    companyKey: text("company_key").notNull(),
    /** A withdrawn answer doesn't count. Its row stays, so that the question doesn't come back. */
    outcome: text("outcome", { enum: replyOutcomes }).notNull(),
    at: createMomentColumn("at").notNull(),
  },
  (table) => [
    uniqueIndex("reply_answers_tracked_job").on(table.trackedJobId),
    index("reply_answers_user").on(table.userId, table.at),
    checkValues("reply_answers_outcome_known", table.outcome, replyOutcomes),
  ],
);

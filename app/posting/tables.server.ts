import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { companies } from "../companies/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { checkValues, createMomentColumn, listKeys } from "../platform/tables.server.ts";
import { type DraftFields, importProviders, submissionSources, submissionStates } from "./rules.ts";

/**
 * Listings that companies write. Their text is copied to `jobs` when an admin approves it, so that no reader of jobs can
 * show what nobody has read.
 */
export const jobSubmissions = pgTable(
  "job_submissions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** The published listing; of a change, the listing that it changes. Null before it is published and once it is deleted. */
    jobId: uuid("job_id").references(() => jobs.id, { onDelete: "set null" }),
    /** The version of the published listing on which a change is based. Null for a new listing. */
    baseVersion: text("base_version"),
    companyId: uuid("company_id")
      .notNull()
      .references(() => companies.id, { onDelete: "cascade" }),
    /** The member who wrote it. */
    submittedBy: uuid("submitted_by").references(() => users.id, { onDelete: "set null" }),
    source: text("source", { enum: submissionSources }).notNull().default("form"),
    /** The typed text. Empty once it is published or discarded. */
    fields: jsonb("fields").$type<Partial<DraftFields>>().notNull(),
    /** Increases with each change of the text or the state, so that nobody overwrites or approves what they haven't seen. */
    version: integer("version").notNull().default(1),
    state: text("state", { enum: submissionStates }).notNull().default("draft"),
    /** Why an admin returned it. */
    reason: text("reason"),
    createdAt: createMomentColumn("created_at").notNull(),
    updatedAt: createMomentColumn("updated_at").notNull(),
    /**
     * When the listing, its change or its published text last changed: the order of a company's listings. Triggers write it
     * (`set_submission_changed_at` and its neighbors).
     */
    changedAt: createMomentColumn("changed_at").notNull().defaultNow(),
    sentAt: createMomentColumn("sent_at"),
    decidedBy: uuid("decided_by").references(() => users.id, { onDelete: "set null" }),
    decidedAt: createMomentColumn("decided_at"),
    /** The price when it was approved, in paise; null for a listing that nobody pays for. */
    price: integer("price"),
    /** The time until which a payment may start. */
    payableUntil: createMomentColumn("payable_until"),
  },
  (table) => [
    index("job_submissions_company").on(table.companyId, table.state, table.updatedAt),
    index("job_submissions_waiting")
      .on(table.sentAt, table.id)
      .where(sql`state = 'waiting'`),
    // A listing has one change that isn't decided yet.
    uniqueIndex("job_submissions_job")
      .on(table.jobId)
      .where(sql`job_id is not null and state in ('draft', 'waiting', 'returned')`),
    index("job_submissions_published")
      .on(table.jobId)
      .where(sql`job_id is not null`),
    index("job_submissions_submitted_by")
      .on(table.submittedBy)
      .where(sql`submitted_by is not null`),
    index("job_submissions_decided_by")
      .on(table.decidedBy)
      .where(sql`decided_by is not null`),
    checkValues("job_submissions_state_known", table.state, submissionStates),
    checkValues("job_submissions_source_known", table.source, submissionSources),
    check("job_submissions_sent", sql`${table.state} <> 'waiting' or ${table.sentAt} is not null`),
    check(
      "job_submissions_reason",
      sql`${table.state} <> 'returned' or ${table.reason} is not null`,
    ),
    check(
      "job_submissions_payable",
      sql`${table.state} <> 'payable' or (${table.price} > 0 and ${table.payableUntil} is not null)`,
    ),
    check(
      "job_submissions_text_deleted",
      sql`${table.state} not in ('live', 'discarded') or ${table.fields} = '{}'`,
    ),
  ],
);

/** The jobs in files that the operator imported, so that the next import finds the listing that each one became. */
export const jobSources = pgTable(
  "job_sources",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    companyId: uuid("company_id")
      .notNull()
      .references(() => companies.id, { onDelete: "cascade" }),
    provider: text("provider", { enum: listKeys(importProviders) }).notNull(),
    /** The place in which the ids of the provider are unique, such as the company's name at Lever. */
    board: text("board").notNull(),
    externalId: text("external_id").notNull(),
    /** The page of the job at its source. Null once a removed contact was in it. */
    url: text("url"),
    /** The hash of the fields that were last sent. */
    hash: text("hash").notNull(),
    /** The listing that was last sent from it. */
    submissionId: uuid("submission_id").references(() => jobSubmissions.id, {
      onDelete: "set null",
    }),
    /** A listing that was on the board before, by the same application page. */
    jobId: uuid("job_id").references(() => jobs.id, { onDelete: "set null" }),
    seenAt: createMomentColumn("seen_at").notNull(),
    /** When a complete file first had no such job. */
    missingSince: createMomentColumn("missing_since"),
  },
  (table) => [
    unique("job_sources_key").on(table.provider, table.board, table.externalId),
    index("job_sources_company").on(table.companyId, table.provider, table.board),
    index("job_sources_submission").on(table.submissionId),
    index("job_sources_job").on(table.jobId),
    checkValues("job_sources_provider_known", table.provider, listKeys(importProviders)),
  ],
);

import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { companies } from "../companies/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { checkValues, createMomentColumn } from "../platform/tables.server.ts";
import { type DraftFields, submissionSources, submissionStates } from "./rules.ts";

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

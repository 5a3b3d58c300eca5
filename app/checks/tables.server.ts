import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { checkValues, createMomentColumn } from "../platform/tables.server.ts";
import { reportReasons, reportStates } from "./rules.ts";

/** Reports on listings. They outlive their listing, so that removals are still counted. */
export const jobReports = pgTable(
  "job_reports",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    jobId: uuid("job_id").references(() => jobs.id, { onDelete: "set null" }),
    /** The account of the reporter; null for a visitor. */
    reporterId: uuid("reporter_id").references(() => users.id, { onDelete: "set null" }),
    /** The email address of a visitor. */
    email: text("email"),
    /** A keyed hash of the reporter's network and the listing; null once it is deleted. */
    network: text("network"),
    reason: text("reason", { enum: reportReasons }).notNull(),
    text: text("text").notNull().default(""),
    createdAt: createMomentColumn("created_at").notNull(),
    /** When a visitor opened the mailed link. For an account, the time of the report. */
    confirmedAt: createMomentColumn("confirmed_at"),
    state: text("state", { enum: reportStates }).notNull().default("open"),
    /** The decision of an admin. All reports that it closes share its id. */
    decisionId: uuid("decision_id"),
    decisionReason: text("decision_reason"),
    decidedBy: uuid("decided_by").references(() => users.id, { onDelete: "set null" }),
    decidedAt: createMomentColumn("decided_at"),
  },
  (table) => [
    // A person has one open report for a listing. A visitor may also have one that isn't confirmed yet.
    uniqueIndex("job_reports_account")
      .on(table.jobId, table.reporterId)
      .where(sql`state = 'open' and reporter_id is not null`),
    uniqueIndex("job_reports_address")
      .on(table.jobId, table.email, sql`(confirmed_at is null)`)
      .where(sql`state = 'open' and email is not null`),
    index("job_reports_open")
      .on(table.jobId, table.createdAt)
      .where(sql`state = 'open' and confirmed_at is not null`),
    index("job_reports_unconfirmed")
      .on(table.createdAt)
      .where(sql`confirmed_at is null`),
    index("job_reports_decided")
      .on(table.state, table.decidedAt)
      .where(sql`decided_at is not null`),
    index("job_reports_job")
      .on(table.jobId)
      .where(sql`job_id is not null`),
    index("job_reports_reporter")
      .on(table.reporterId)
      .where(sql`reporter_id is not null`),
    index("job_reports_decided_by")
      .on(table.decidedBy)
      .where(sql`decided_by is not null`),
    checkValues("job_reports_reason_known", table.reason, reportReasons),
    checkValues("job_reports_state_known", table.state, reportStates),
    check("job_reports_email_lower_case", sql`${table.email} = lower(${table.email})`),
    check("job_reports_decided", sql`(${table.state} = 'open') = (${table.decidedAt} is null)`),
  ],
);

import { type SQL, sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { companies } from "../companies/tables.server.ts";
import { checkValues, createMomentColumn, listInSql } from "../platform/tables.server.ts";
import { archivedReasons, checkKinds, checkResults } from "./check-rules.ts";
import { detailLimits } from "./detail-limits.ts";
import { disciplines, payPeriods, testTasks, workModes } from "./details.ts";
import { jobTypes } from "./rules.ts";

function listValues<Value extends string>(list: readonly { value: Value }[]): [Value, ...Value[]] {
  return list.map(({ value }) => value) as [Value, ...Value[]];
}

const max = Object.fromEntries(
  Object.entries(detailLimits).map(([name, limit]) => [name, sql.raw(String(limit))]),
) as Record<keyof typeof detailLimits, SQL>;

/** The rules of the details, which hold for every row. */
const detailsAreValid = sql`
  discipline in ${listInSql(listValues(disciplines))}
  and work_mode in ${listInSql(listValues(workModes))}
  and cardinality(place_ids) <= ${max.places}
  and cardinality(applicant_place_ids) <= ${max.places}
  and cardinality(skill_ids) <= ${max.skills}
  and experience_min between 0 and ${max.experience} and experience_max between 0 and ${max.experience}
  and experience_min <= experience_max
  and pay_min between 0 and ${max.pay} and pay_max between 0 and ${max.pay} and pay_min <= pay_max
  and pay_variable between 0 and ${max.pay}
  and pay_period in ${listInSql(payPeriods)}
  and (pay_period is not null or coalesce(pay_min, pay_max, pay_variable) is null)
  and (job_type = 'Internship' or coalesce(pay_min, 1) > 0 and coalesce(pay_max, 1) > 0)
  and pay_currency ~ '^[A-Z]{3}$'
  and rounds between 1 and ${max.rounds}
  and test_task in ${listInSql(listValues(testTasks))}
  and test_task_hours between 1 and ${max.testTaskHours}
  and (test_task_hours is null or coalesce(test_task, 'none') <> 'none')
  and answer_days between 1 and ${max.answerDays}`;

export const jobs = pgTable(
  "jobs",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    title: text("title").notNull(),
    company: text("company").notNull(),
    location: text("location").notNull(),
    jobType: text("job_type", { enum: jobTypes }).notNull(),
    compensation: text("compensation"),
    /** The brief summary. */
    description: text("description").notNull(),
    /** The full text. Imported rows may have none. */
    largeDescription: text("large_description"),
    pocName: text("poc_name"),
    pocContact: text("poc_contact"),
    portalApplicationLink: text("portal_application_link"),
    directApplicationLink: text("direct_application_link"),
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    postedAt: createMomentColumn("posted_at").notNull(),
    updatedAt: createMomentColumn("updated_at"),
    isArchived: boolean("is_archived").notNull().default(false),
    // The structured details. Null or an empty list means not stated. New columns are nullable or have a constant
    // default, so that adding them doesn't rewrite the table.
    discipline: text("discipline", { enum: listValues(disciplines) }),
    workMode: text("work_mode", { enum: listValues(workModes) }),
    placeIds: integer("place_ids")
      .array()
      .notNull()
      .default(sql`'{}'`),
    applicantPlaceIds: integer("applicant_place_ids")
      .array()
      .notNull()
      .default(sql`'{}'`),
    experienceMin: smallint("experience_min"),
    experienceMax: smallint("experience_max"),
    skillIds: smallint("skill_ids")
      .array()
      .notNull()
      .default(sql`'{}'`),
    payMin: integer("pay_min"),
    payMax: integer("pay_max"),
    payVariable: integer("pay_variable"),
    payPeriod: text("pay_period", { enum: payPeriods }),
    payCurrency: text("pay_currency").notNull().default("INR"),
    rounds: smallint("rounds"),
    testTask: text("test_task", { enum: listValues(testTasks) }),
    testTaskHours: smallint("test_task_hours"),
    answerDays: smallint("answer_days"),
    /** The numbers that filters look up, written by the trigger `set_job_facets`. */
    facets: integer("facets")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The top of the fixed pay per year in rupees; 0 if unstated, unpaid or not comparable. Written by the trigger. */
    payYear: integer("pay_year").notNull().default(0),
    /** When enough reports alerted the admins. The board says so until an admin decides. */
    reportedAt: createMomentColumn("reported_at"),
    /** The company that posted it; null for a listing of staff or of a subscriber. */
    companyId: uuid("company_id").references(() => companies.id, { onDelete: "set null" }),
    /** The last day to apply, in India. */
    closesOn: date("closes_on", { mode: "string" }),
    /** An address for questions about the listing. Only staff see it. */
    checkEmail: text("check_email"),
    /** The last time that someone said that the job is open. Null for a listing that was never checked. */
    checkedAt: createMomentColumn("checked_at"),
    /** When the next check is due. */
    checkDueAt: createMomentColumn("check_due_at")
      .notNull()
      .default(sql`now() + interval '14 days'`),
    /** True if the listing leaves the board when its check is overdue. Listings of staff stay. */
    lapses: boolean("lapses").notNull().default(false),
    /** True if its owner put it on the board after we removed one of their listings. Until staff check it, it is first. */
    followsRemoval: boolean("follows_removal").notNull().default(false),
    /** The listing is public until then. Null means until it is archived. */
    liveUntil: createMomentColumn("live_until"),
    /**
     * When the listing began to name its present contact, who is asked for consent then. Null for an imported listing,
     * whose contact is asked when its check is due.
     */
    contactNamedAt: createMomentColumn("contact_named_at"),
    /** When the listing first appeared on the board. */
    publishedAt: createMomentColumn("published_at").notNull().defaultNow(),
    /**
     * Null for a listing that staff archived by hand. Only a god admin can publish a "reported" one again. A "named" one
     * comes back once an admin has decided about its text.
     */
    archivedReason: text("archived_reason", { enum: archivedReasons }),
    /** The searched text: each field in the normalized form of `search_form`. */
    searchText: text("search_text").generatedAlwaysAs(
      sql`search_form(title) || E'\\n' || search_form(company) || E'\\n' || search_form(description)`,
    ),
  },
  (table) => [
    // The first migration has more indexes, with columns that they only include and of the contacts in texts.
    index("jobs_facets").using("gin", table.facets),
    index("jobs_check_due")
      .on(table.checkDueAt)
      .where(sql`not is_archived`),
    index("jobs_check_order")
      .on(
        sql`(case when checked_at is null and lapses then case when follows_removal then 0 else 1 end else 2 end)`,
        table.checkDueAt,
        table.id,
      )
      .where(sql`not is_archived`),
    index("jobs_live_until")
      .on(table.liveUntil)
      .where(sql`not is_archived and live_until is not null`),
    index("jobs_board_by_type").on(table.isArchived, table.jobType, table.postedAt, table.id),
    index("jobs_owner").on(table.createdBy, table.isArchived, table.postedAt, table.id),
    index("jobs_search").using("gin", table.searchText.op("gin_trgm_ops")),
    // Searches too short for trigrams use pairs of neighbouring characters.
    index("jobs_search_short").using("gin", sql`pairs_in(${table.searchText})`),
    checkValues("jobs_type_known", table.jobType, jobTypes),
    check("jobs_details_valid", detailsAreValid),
    checkValues("jobs_archived_reason_known", table.archivedReason, archivedReasons),
  ],
);

/** Each time that someone said that a job is open, filled or closed. */
export const jobChecks = pgTable(
  "job_checks",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    jobId: uuid("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    at: createMomentColumn("at").notNull(),
    kind: text("kind", { enum: checkKinds }).notNull(),
    /** The account of a member of staff or of the company; null for a contact, who has none. */
    actorId: uuid("actor_id").references(() => users.id, { onDelete: "set null" }),
    result: text("result", { enum: checkResults }).notNull(),
  },
  (table) => [
    index("job_checks_job").on(table.jobId, table.at),
    index("job_checks_actor").on(table.actorId),
    checkValues("job_checks_kind_known", table.kind, checkKinds),
    checkValues("job_checks_result_known", table.result, checkResults),
  ],
);

/** Views and presses of a company's listing in one day in India, as numbers without people. */
export const jobDays = pgTable(
  "job_days",
  {
    jobId: uuid("job_id")
      .notNull()
      .references(() => jobs.id, { onDelete: "cascade" }),
    day: date("day", { mode: "string" }).notNull(),
    views: integer("views").notNull().default(0),
    portal: integer("portal").notNull().default(0),
    contact: integer("contact").notNull().default(0),
    saves: integer("saves").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.day] }),
    // For deleting old days.
    index("job_days_day").on(table.day),
  ],
);

/** The number of open jobs with each facet, refreshed by a task. */
export const boardCounts = pgTable("board_counts", {
  facet: integer("facet").primaryKey(),
  jobs: integer("jobs").notNull(),
});

/** The words of open listings and known names, for searches that find nothing. A task refills it. */
export const searchWords = pgTable(
  "search_words",
  {
    word: text("word").primaryKey(),
    /** The number of open jobs with the word in their title or company. */
    jobs: integer("jobs").notNull(),
  },
  (table) => [
    // With fastupdate, searches would read the words of the latest refill one by one.
    index("search_words_trigrams")
      .using("gin", sql`show_trgm(${table.word})`)
      .with({ fastupdate: false }),
  ],
);

/**
 * How many people a company answered, by their own account, counted at the start of each week. Companies without five
 * people have no row.
 */
export const replyRecords = pgTable(
  "reply_records",
  {
    /** The company, as `toCompanyKey` names it. */
    companyKey: text("company_key").notNull(),
    /** The Monday in India before which the answers were given. */
    week: date("week", { mode: "string" }).notNull(),
    people: integer("people").notNull(),
    /** The number of these people who got a reply within two weeks, and of those who got one later. */
    within: integer("within").notNull(),
    later: integer("later").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyKey, table.week] })],
);

const stopReasons = ["withdrawn", "bounced"] as const;

/**
 * Addresses that get no more questions. Withdrawn ones, and the phone numbers with them, can't be published again. They
 * are only known by their keyed hash, and outlive every listing.
 */
export const stoppedContacts = pgTable(
  "stopped_contacts",
  {
    /** The hash of an address or a phone number. */
    contactHash: text("contact_hash").primaryKey(),
    reason: text("reason", { enum: stopReasons }).notNull(),
    at: createMomentColumn("at").notNull(),
  },
  (table) => [checkValues("stopped_contacts_reason_known", table.reason, stopReasons)],
);

import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { createMomentColumn } from "../platform/tables.server.ts";

export const jobs = pgTable(
  "jobs",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    title: text("title").notNull(),
    company: text("company").notNull(),
    location: text("location").notNull(),
    jobType: text("job_type", { enum: ["Full-time", "Part-time", "Internship"] }).notNull(),
    compensation: text("compensation"),
    /** The brief summary. */
    description: text("description").notNull(),
    /** The full text. Older rows may have none. */
    largeDescription: text("large_description"),
    pocName: text("poc_name"),
    pocContact: text("poc_contact"),
    portalApplicationLink: text("portal_application_link"),
    directApplicationLink: text("direct_application_link"),
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    postedAt: createMomentColumn("posted_at").notNull(),
    updatedAt: createMomentColumn("updated_at"),
    isArchived: boolean("is_archived").notNull().default(false),
    /** When enough reports alerted the admins. The board says so until an admin decides. */
    reportedAt: createMomentColumn("reported_at"),
    /** When an admin archived it after reports. Only a god admin can publish it again. */
    removedAt: createMomentColumn("removed_at"),
    /** The searched text: each field in the normalized form of `search_form`. */
    searchText: text("search_text").generatedAlwaysAs(
      sql`search_form(title) || E'\\n' || search_form(company) || E'\\n' || search_form(description)`,
    ),
  },
  (table) => [
    index("jobs_board").on(table.isArchived, table.postedAt, table.id),
    index("jobs_board_by_type").on(table.isArchived, table.jobType, table.postedAt, table.id),
    index("jobs_owner").on(table.createdBy, table.isArchived, table.postedAt, table.id),
    index("jobs_search").using("gin", table.searchText.op("gin_trgm_ops")),
    // Searches too short for trigrams use pairs of neighbouring characters.
    index("jobs_search_short").using("gin", sql`pairs_in(${table.searchText})`),
    check("jobs_type_known", sql`${table.jobType} in ('Full-time', 'Part-time', 'Internship')`),
  ],
);

import { sql } from "drizzle-orm";
import {
  check,
  index,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { bytes, checkValues, createMomentColumn } from "../platform/tables.server.ts";
import { companyStates, maxLogoBytes, memberRoles, pageChangeStates } from "./rules.ts";

/** Companies that post jobs themselves. */
export const companies = pgTable(
  "companies",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Its public address: /companies/chaupal-health */
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    website: text("website").notNull(),
    /** The registrable domain of the website, which the work emails of its people have too. */
    domain: text("domain").notNull(),
    about: text("about").notNull().default(""),
    /** Its logo among those in company_logos. */
    logoHash: text("logo_hash"),
    state: text("state", { enum: companyStates }).notNull().default("new"),
    createdAt: createMomentColumn("created_at").notNull(),
    /** When the first work email was confirmed. A company without one is deleted after 48 hours. */
    confirmedAt: createMomentColumn("confirmed_at"),
    decidedBy: uuid("decided_by").references(() => users.id, { onDelete: "set null" }),
    decidedAt: createMomentColumn("decided_at"),
  },
  (table) => [
    unique("companies_slug").on(table.slug),
    // Anyone can type any website, so a domain belongs to the first company with a confirmed address.
    uniqueIndex("companies_domain")
      .on(table.domain)
      .where(sql`confirmed_at is not null`),
    index("companies_unconfirmed")
      .on(table.createdAt)
      .where(sql`confirmed_at is null`),
    index("companies_public")
      .on(sql`lower(name)`, table.id)
      .where(sql`state = 'approved'`),
    index("companies_decided_by")
      .on(table.decidedBy)
      .where(sql`decided_by is not null`),
    checkValues("companies_state_known", table.state, companyStates),
    check("companies_decided", sql`(${table.state} = 'new') or ${table.decidedAt} is not null`),
  ],
);

/**
 * People who post for a company, and their requests to. A person may be in several companies. Triggers delete the rows of
 * a person who is banned, and make the member of the longest standing an owner when the last owner's row is deleted.
 */
export const companyMembers = pgTable(
  "company_members",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    companyId: uuid("company_id")
      .notNull()
      .references(() => companies.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: memberRoles }).notNull(),
    workEmail: text("work_email").notNull(),
    askedAt: createMomentColumn("asked_at").notNull(),
    /** When the person opened the link in the work email. */
    confirmedAt: createMomentColumn("confirmed_at"),
    /** When the person could first post. A claim on an existing company waits for an admin. */
    approvedAt: createMomentColumn("approved_at"),
  },
  (table) => [
    unique("company_members_person").on(table.companyId, table.userId),
    index("company_members_user").on(table.userId),
    index("company_members_unconfirmed")
      .on(table.askedAt)
      .where(sql`confirmed_at is null`),
    index("company_members_claims")
      .on(table.confirmedAt, table.id)
      .where(sql`confirmed_at is not null and approved_at is null`),
    checkValues("company_members_role_known", table.role, memberRoles),
    check("company_members_email_lower_case", sql`${table.workEmail} = lower(${table.workEmail})`),
    check(
      "company_members_confirmed_first",
      sql`${table.approvedAt} is null or ${table.confirmedAt} is not null`,
    ),
  ],
);

/**
 * Work emails that an owner invited to post for a company. Who opens the mailed link becomes a member, and the row is
 * deleted. A trigger deletes those of a person who leaves the company.
 */
export const companyInvitations = pgTable(
  "company_invitations",
  {
    /** The membership gets the same id, so that the link still finds it. */
    id: uuid("id").primaryKey().defaultRandom(),
    companyId: uuid("company_id")
      .notNull()
      .references(() => companies.id, { onDelete: "cascade" }),
    workEmail: text("work_email").notNull(),
    invitedBy: uuid("invited_by")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    invitedAt: createMomentColumn("invited_at").notNull(),
  },
  (table) => [
    unique("company_invitations_email").on(table.companyId, table.workEmail),
    index("company_invitations_invited_by").on(table.invitedBy),
    index("company_invitations_invited_at").on(table.invitedAt),
    check("company_invitations_lower_case", sql`${table.workEmail} = lower(${table.workEmail})`),
  ],
);

/**
 * The change of a company's page that an admin hasn't published. Its text is copied to `companies` then, so that no reader
 * of companies can show what nobody has read.
 */
export const companyChanges = pgTable(
  "company_changes",
  {
    companyId: uuid("company_id")
      .primaryKey()
      .references(() => companies.id, { onDelete: "cascade" }),
    /** Another one after each change, so that nobody overwrites or publishes what they haven't seen. */
    version: uuid("version").notNull().defaultRandom(),
    /** The version of the page on which the change is based. */
    baseVersion: text("base_version").notNull(),
    name: text("name").notNull(),
    website: text("website").notNull(),
    about: text("about").notNull(),
    logoHash: text("logo_hash"),
    state: text("state", { enum: pageChangeStates }).notNull().default("waiting"),
    /** Why an admin returned it. */
    reason: text("reason"),
    /** The member who sent it. */
    submittedBy: uuid("submitted_by").references(() => users.id, { onDelete: "set null" }),
    sentAt: createMomentColumn("sent_at").notNull(),
  },
  (table) => [
    index("company_changes_waiting")
      .on(table.sentAt, table.companyId)
      .where(sql`state = 'waiting'`),
    index("company_changes_submitted_by")
      .on(table.submittedBy)
      .where(sql`submitted_by is not null`),
    checkValues("company_changes_state_known", table.state, pageChangeStates),
    check(
      "company_changes_reason",
      sql`(${table.state} = 'returned') = (${table.reason} is not null)`,
    ),
  ],
);

/**
 * The logos that a company or the change of its page has. They are small, and written and deleted in the transaction of the
 * change, so they are in the database. A table of their own keeps them out of every query of companies.
 */
export const companyLogos = pgTable(
  "company_logos",
  {
    companyId: uuid("company_id")
      .notNull()
      .references(() => companies.id, { onDelete: "cascade" }),
    /** It names the picture in addresses. */
    hash: text("hash").notNull(),
    /** WebP. */
    picture: bytes("picture").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.hash] }),
    check(
      "company_logos_small",
      sql`octet_length(${table.picture}) <= ${sql.raw(String(maxLogoBytes))}`,
    ),
  ],
);

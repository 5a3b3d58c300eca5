import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { checkValues, createMomentColumn, listKeys } from "../../platform/tables.server.ts";
import { users } from "../tables.server.ts";
import { givenLabels, purposeLabels } from "./rules.ts";

/**
 * The proof of each consent. A consent given again, or under a new notice, adds a row. Withdrawing only sets
 * `withdrawnAt`.
 */
export const consents = pgTable(
  "consents",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The address of a person without an account. */
    email: text("email"),
    /** A keyed hash of that address, which replaces it once they had it removed. */
    emailHash: text("email_hash"),
    purpose: text("purpose", { enum: listKeys(purposeLabels) }).notNull(),
    /** The date of the privacy notice that they saw, such as "2026-11-26". */
    noticeVersion: text("notice_version").notNull(),
    givenAt: createMomentColumn("given_at").notNull(),
    withdrawnAt: createMomentColumn("withdrawn_at"),
    how: text("how", { enum: listKeys(givenLabels) }).notNull(),
  },
  (table) => [
    index("consents_user").on(table.userId, table.purpose),
    index("consents_email").on(table.email, table.purpose),
    uniqueIndex("consents_user_open")
      .on(table.userId, table.purpose, table.noticeVersion)
      .where(sql`${table.withdrawnAt} is null and ${table.userId} is not null`),
    uniqueIndex("consents_email_open")
      .on(table.email, table.purpose, table.noticeVersion)
      .where(sql`${table.withdrawnAt} is null and ${table.email} is not null`),
    check(
      "consents_one_person",
      sql`num_nonnulls(${table.userId}, ${table.email}, ${table.emailHash}) = 1`,
    ),
    check("consents_email_lower_case", sql`${table.email} = lower(${table.email})`),
    checkValues("consents_purpose_known", table.purpose, listKeys(purposeLabels)),
    checkValues("consents_how_known", table.how, listKeys(givenLabels)),
  ],
);

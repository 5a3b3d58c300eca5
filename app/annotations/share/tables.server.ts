import { sql } from "drizzle-orm";
import { boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createMomentColumn } from "../../platform/tables.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import type { HiddenArea } from "../hiding/hidden-areas.ts";
import type { SharedPage } from "./rules.ts";

/** Links with which a customer shares a completed review, and their copied pages. */
export const reviewShares = pgTable(
  "review_shares",
  {
    /** Also the name of the copies' folder in the store. */
    id: uuid("id").primaryKey().defaultRandom(),
    reviewId: uuid("review_id")
      .notNull()
      .references(() => serviceReviews.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull(),
    hidden: jsonb("hidden").$type<HiddenArea[]>().notNull(),
    withFeedback: boolean("with_feedback").notNull(),
    /** True if the link shows the question that the customer asked after the review, and its answer. */
    withQuestion: boolean("with_question").notNull().default(false),
    /** The copied pages without the hidden areas; null until they are copied. */
    pages: jsonb("pages").$type<SharedPage[]>(),
    createdAt: createMomentColumn("created_at").notNull(),
    expiresAt: createMomentColumn("expires_at").notNull(),
    endedAt: createMomentColumn("ended_at"),
  },
  (table) => [
    uniqueIndex("review_shares_token").on(table.tokenHash),
    uniqueIndex("review_shares_one")
      .on(table.reviewId)
      .where(sql`${table.endedAt} is null`),
    index("review_shares_expires").on(table.expiresAt),
  ],
);
